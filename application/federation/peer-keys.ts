import type { PeerVaultKey } from '../../domain/federation/peer.ts';
import type { SendingPeer } from '../sharing/peer-facts.ts';
import type { PeerVaultKeys } from './peer-vault-keys.ts';

/** The peer's keys that sign the given structures, looked up once each; a kid without a key is left out. */
export const keysOf = async (
  source: Pick<PeerVaultKeys, 'find'>,
  { hubId, vaultRoot }: Pick<SendingPeer, 'hubId' | 'vaultRoot'>,
  kids: Iterable<string>,
): Promise<ReadonlyMap<string, PeerVaultKey>> => {
  const found = new Map<string, PeerVaultKey>();
  for (const kid of new Set(kids)) {
    const key = await source.find(hubId, kid, vaultRoot);
    if (key?.keyId === kid) found.set(kid, key);
  }
  return found;
};
