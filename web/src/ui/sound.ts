// Force as sound, for those who switch it on: the harder the thread pulls, the higher and louder a soft tone.

const LOWEST = 110; // Hz
const OCTAVES = 2.5;
const LOUDEST = 0.12;

export class ForceSound {
  private context: AudioContext | undefined;
  private tone: OscillatorNode | undefined;
  private gain: GainNode | undefined;

  setOn(isOn: boolean): void {
    if (!isOn) {
      void this.context?.close();
      this.context = undefined;
      return;
    }
    if (this.context) return;
    const context = (this.context = new AudioContext());
    this.gain = new GainNode(context, { gain: 0 });
    this.tone = new OscillatorNode(context, { type: "triangle", frequency: LOWEST });
    this.tone.connect(this.gain).connect(context.destination);
    this.tone.start();
  }

  /** `share` 0 to 1. */
  update(share: number): void {
    if (!this.context || !this.gain || !this.tone) return;
    const now = this.context.currentTime;
    this.gain.gain.setTargetAtTime(share > 0.05 ? LOUDEST * share : 0, now, 0.03);
    this.tone.frequency.setTargetAtTime(LOWEST * Math.pow(2, OCTAVES * share), now, 0.03);
  }
}
