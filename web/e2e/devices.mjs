// What the page shows of force-feedback devices: one is plugged in, pulled out and plugged in again.

import assert from "node:assert/strict";
import dgram from "node:dgram";

/** A packet of docs/feel.md: an Omni that leads the right hand. */
function packet(number) {
  const bytes = Buffer.alloc(60);
  bytes.write("cgdv", 0);
  bytes.writeUInt16LE(1, 4);
  bytes[6] = 1;
  bytes.writeUInt32LE(number, 8);
  bytes.writeFloatLE(1, 40);
  return bytes;
}

/** Says where it is every few milliseconds until it is unplugged. */
class Device {
  constructor(port) {
    this.socket = dgram.createSocket("udp4");
    this.number = 0;
    this.timer = setInterval(() => this.socket.send(packet(++this.number), port, "127.0.0.1"), 2);
  }

  unplug() {
    clearInterval(this.timer);
    this.socket.close();
  }
}

// A machine that is busy may hear nothing of a device for a moment and take it for unplugged: what is waited for comes
// again, and how often it was plugged in only grows.
const shown = (page, isHere, before = 0) =>
  page.waitForFunction(
    ([here, arrivals]) => {
      const row = document.querySelector(`.devices:not([hidden]) tr[data-here="${here}"]`);
      const device = window.catgut.simulation.devices.find(({ hand }) => hand === 1);
      if (!row || !device || device.arrivals <= arrivals) return false;
      return { arrivals: device.arrivals, text: row.textContent };
    },
    [isHere, before],
  ).then((result) => result.jsonValue());

export const tests = {
  "shows how a device does, that it is unplugged, and that it is plugged in again": {
    server: { more: ["--devices", "0"] },
    async run({ page, person, server, address }) {
      await person.open(address);
      assert.equal(await page.locator(".devices").isVisible(), false, "without devices there is no card");
      const port = Number((await server.hear(/devices: UDP port (\d+) of/))[1]);
      let device = new Device(port);
      try {
        const first = await shown(page, true);
        assert.match(first.text, /Right.*omni.*\d+\/s, \d+\.\d\d ms late.*N.*mJ/);
        device.unplug();
        const gone = await shown(page, false);
        assert.match(gone.text, /omni.*unplugged.*no force/);
        device = new Device(port);
        const again = await shown(page, true, gone.arrivals);
        assert.match(again.text, /plugged in \d+ times/);
      } finally {
        device.unplug();
      }
    },
  },
};
