/** Of a JSON-RPC request. */
export type Id = string | number;

export const isId = (id: unknown): id is Id => typeof id === 'string' || typeof id === 'number';

/** 1 and "1" are two ids. */
export const keyOf = (id: Id): string => JSON.stringify(id);

interface Asked<T> {
  readonly id: Id;
  readonly what: T;
}

/** What was asked and is not answered yet, by its id; an id that is used twice is answered in its order. */
export class Outstanding<T> {
  private readonly byKey = new Map<string, Asked<T>[]>();

  add(id: Id, what: T): void {
    const key = keyOf(id);
    const same = this.byKey.get(key);
    if (same) same.push({ id, what });
    else this.byKey.set(key, [{ id, what }]);
  }

  find(id: Id): T | undefined {
    return this.byKey.get(keyOf(id))?.[0]?.what;
  }

  /** What an answer with this id is taken for, and the id with which it was asked. */
  take(id: Id): Asked<T> | undefined {
    const exact = keyOf(id);
    const key = this.byKey.has(exact) ? exact : this.sameNumber(id);
    const same = key === undefined ? undefined : this.byKey.get(key);
    const found = same?.shift();
    if (same?.length === 0) this.byKey.delete(key!);
    return found;
  }

  takeAll(): readonly T[] {
    const left = [...this.byKey.values()].flat().map(({ what }) => what);
    this.byKey.clear();
    return left;
  }

  /** Hosts take an answer to "1" for one to 1, as the libraries for TypeScript and Python do: so it is one. */
  private sameNumber(id: Id): string | undefined {
    const number = Number(id);
    for (const key of this.byKey.keys()) if (Number(JSON.parse(key)) === number) return key;
    return undefined;
  }
}
