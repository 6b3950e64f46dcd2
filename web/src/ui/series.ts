// The last seconds of some numbers, for the charts. Old ones make room for new ones.

export class Series {
  private readonly rows: number[][];

  constructor(
    readonly columns: number,
    private readonly span: number,
    private readonly most = 900,
  ) {
    this.rows = Array.from({ length: columns + 1 }, () => []);
  }

  /** `time` grows; when it jumps back the past is dropped. */
  add(time: number, values: ArrayLike<number>): void {
    const times = this.rows[0];
    if (times.length > 0 && time <= times[times.length - 1]) {
      if (time === times[times.length - 1]) return;
      this.clear();
    }
    times.push(time);
    for (let k = 0; k < this.columns; k++) this.rows[k + 1].push(k < values.length ? values[k] : 0);
    let old = 0;
    while (old < times.length && (times[old] < time - this.span || times.length - old > this.most)) old++;
    if (old > 0) for (const row of this.rows) row.splice(0, old);
  }

  clear(): void {
    for (const row of this.rows) row.length = 0;
  }

  /** Times first, then a row for each column. */
  data(): number[][] {
    return this.rows;
  }

  /** The same, each column being the sum of those up to it: for areas on top of each other. */
  stacked(): number[][] {
    const stacked = [this.rows[0]];
    for (let k = 1; k <= this.columns; k++) {
      const below = k > 1 ? stacked[k - 1] : undefined;
      stacked.push(this.rows[k].map((value, i) => value + (below ? below[i] : 0)));
    }
    return stacked;
  }
}
