/** Shifts the time of day of this process; `restore` puts it back. */
export class ShiftedDate {
  aheadMs = 0;
  private readonly real = globalThis.Date;

  constructor() {
    const { real } = this;
    const now = (): number => real.now() + this.aheadMs;
    globalThis.Date = new Proxy(real, {
      construct: (target, given, asked) =>
        Reflect.construct(target, given.length === 0 ? [now()] : given, asked) as object,
      get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
    });
  }

  restore(): void {
    globalThis.Date = this.real;
  }
}
