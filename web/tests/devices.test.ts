import { describe, expect, it } from "vitest";
import { deviceInWords } from "../src/ui/devices";
import type { DeviceState } from "../src/base/protocol.generated";

const omni: DeviceState = {
  hand: 1,
  name: "omni",
  here: 1,
  arrivals: 1,
  samples: 5000,
  unread: 0,
  rate: 999.6,
  late: 0.00012,
  longest: 0.004,
  loop_late: 0.0001,
  force: 0.5,
  stiffness: 560,
  limit: 560,
  energy: 0.0123,
  account: 0.001,
  capped: 0,
  withheld: 0,
};

describe("devices in words", () => {
  it("says how evenly samples come, what the motors do, and the energy", () => {
    expect(deviceInWords(omni)).toEqual({ name: "omni", time: "1000/s, 0.12 ms late", force: "0.50 N", energy: "12.3 mJ" });
  });

  it("says what is wrong", () => {
    const words = deviceInWords({ ...omni, unread: 3, capped: 2500, energy: -0.002 });
    expect(words.time).toBe("1000/s, 0.12 ms late, 3 bad");
    expect(words.force).toBe("0.50 N, capped 2.5 s");
    expect(words.energy).toBe("-2.0 mJ, too little");
  });

  it("says that one is unplugged, and was plugged in again", () => {
    expect(deviceInWords({ ...omni, here: 0 })).toMatchObject({ time: "unplugged", force: "no force", energy: "" });
    expect(deviceInWords({ ...omni, arrivals: 3 }).name).toBe("omni, plugged in 3 times");
  });

  it("says what force a tracker gets that asked for it", () => {
    const tracker = { ...omni, name: "tracker", rate: 100 };
    expect(deviceInWords({ ...tracker, force: 0, limit: 0 })).toMatchObject({ force: "no force", energy: "" });
    expect(deviceInWords({ ...tracker, capped: 1500 })).toMatchObject({ force: "0.50 N, capped 1.5 s", energy: "12.3 mJ" });
  });

  it("counts capped periods by the samples of the device", () => {
    expect(deviceInWords({ ...omni, rate: 500, capped: 1000 }).force).toBe("0.50 N, capped 2.0 s");
  });
});
