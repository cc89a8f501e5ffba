/** The door of a demo, through which its database is changed. It takes a token of its own, and no key. */
export interface AttackDoor {
  list(): Promise<readonly NamedAttack[]>;
  /** @returns what was changed, in a sentence. */
  run(name: string, recordId: string): Promise<string>;
  restore(): Promise<void>;
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
    const response = await fetch(`${base}/demo/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    const body = (await response.json()) as Readonly<Record<string, unknown>>;
    if (!response.ok) throw new AttackRefusal(String(body['detail'] ?? response.status));
    return body;
  };
  return {
    list: async () => (await ask('GET', 'attacks'))['data'] as readonly NamedAttack[],
    run: async (name, recordId) =>
      String((await ask('POST', `attacks/${name}/${recordId}`))['changed']),
    restore: async () => void (await ask('POST', 'restorations')),
  };
};
