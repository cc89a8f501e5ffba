/** The door of a demo, through which its database is changed. It takes a token of its own, and no key. */
export interface AttackDoor {
  list(): Promise<readonly NamedAttack[]>;
  run(name: string, recordId: string): Promise<Attacked>;
  /** The number of the attack that is not put back; null where none is. */
  standing(): Promise<number | null>;
  restore(): Promise<void>;
}

export interface Attacked {
  /** What was changed, in a sentence. */
  readonly changed: string;
  readonly number: number;
}

export interface NamedAttack {
  readonly name: string;
  readonly title: string;
}

/** What the demo answered in the place of an attack, in a sentence. */
export class AttackRefusal extends Error {
  override readonly name = 'AttackRefusal';
}

export const attackDoor = (base: string, token: string): AttackDoor => {
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new AttackRefusal('This is no attack token: the demo printed one where it ended.');
  const ask = async (method: string, path: string): Promise<Readonly<Record<string, unknown>>> => {
    const { response, body } = await answered(`${base}/demo/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
    });
    if (!response.ok) throw new AttackRefusal(String(body['detail'] ?? response.status));
    return body;
  };
  return {
    list: async () => (await ask('GET', 'attacks'))['data'] as readonly NamedAttack[],
    run: async (name, recordId) => {
      const place = `attacks/${name}/${encodeURIComponent(recordId)}`;
      const { changed, number } = await ask('POST', place);
      return { changed: String(changed), number: Number(number) };
    },
    standing: async () => (await ask('GET', 'attacks'))['standing'] as number | null,
    restore: async () => void (await ask('POST', 'restorations')),
  };
};

const answered = async (
  url: string,
  request: RequestInit,
): Promise<{
  readonly response: Response;
  readonly body: Readonly<Record<string, unknown>>;
}> => {
  try {
    const response = await fetch(url, request);
    return { response, body: (await response.json()) as Readonly<Record<string, unknown>> };
  } catch (cause) {
    throw new AttackRefusal('The demo does not answer. Look whether it runs, and try again.', {
      cause,
    });
  }
};
