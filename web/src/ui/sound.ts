// What is heard, by those who switch it on: the harder the thread pulls, the higher and louder a soft tone; a stitch that
// tears and a thread that breaks are short noises.

const LOWEST = 110; // Hz
const OCTAVES = 2.5;
const LOUDEST = 0.12;

export type Mishap = "tear" | "snap";

/** A tear is a rustle of grains that dies away, a break one sharp click: how long [s], how fast it dies, grains [1/s]. */
const noises: Record<Mishap, { seconds: number; fades: number; grains: number; loudness: number }> = {
  tear: { seconds: 0.35, fades: 10, grains: 240, loudness: 0.2 },
  snap: { seconds: 0.09, fades: 70, grains: 0, loudness: 0.3 },
};

/** The noise of a mishap, -1 to 1, so many samples a second; the same every time. */
export function mishapWave(mishap: Mishap, rate: number): Float32Array<ArrayBuffer> {
  const { seconds, fades, grains, loudness } = noises[mishap];
  const wave = new Float32Array(Math.ceil(seconds * rate));
  let seed = 1;
  for (let i = 0; i < wave.length; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const time = i / rate;
    const grain = grains > 0 ? 1 - ((time * grains) % 1) : 1;
    const end = 1 - i / wave.length;
    wave[i] = loudness * (seed / 2 ** 31 - 1) * grain * end * Math.exp(-fades * time);
  }
  return wave;
}

export class Sounds {
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

  /** Once, now. */
  play(mishap: Mishap): void {
    if (!this.context) return;
    const wave = mishapWave(mishap, this.context.sampleRate);
    const buffer = this.context.createBuffer(1, wave.length, this.context.sampleRate);
    buffer.copyToChannel(wave, 0);
    const source = this.context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.context.destination);
    source.start();
  }
}
