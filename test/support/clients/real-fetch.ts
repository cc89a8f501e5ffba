const KEPT = Symbol.for('notary.test.fetch');

type Keeper = typeof globalThis & { [KEPT]?: typeof globalThis.fetch };

/** The fetch of the runtime, however often it was wrapped since. */
export const realFetch = (): typeof globalThis.fetch =>
  ((globalThis as Keeper)[KEPT] ??= globalThis.fetch);
