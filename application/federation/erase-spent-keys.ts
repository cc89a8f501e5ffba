import type { Stores } from '../ports/unit-of-work.port.ts';

/** Erases the private part of every former hub key that no peer needs any more: none knows the hub by it, or by an older one. */
export const eraseSpentKeys = async (stores: Pick<Stores, 'hubKeys' | 'peers'>): Promise<void> => {
  const keys = await stores.hubKeys.lockAll();
  const known = new Set(
    (await stores.peers.all())
      .filter(({ status }) => status !== 'REVOKED')
      .map(({ ownKeyThumbprint }) => ownKeyThumbprint),
  );
  for (const key of keys) {
    if (known.has(key.thumbprint)) return;
    if (key.retiredAt !== null && key.sealedPrivateKey !== null)
      await stores.hubKeys.update({ ...key, sealedPrivateKey: null });
  }
};
