import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Manifest } from '../../domain/record-type/manifest.ts';
import type { HeldVersion } from '../../domain/record-type/record-type-store.port.ts';

type Key = Pick<Manifest, 'publisher' | 'type' | 'version'>;

/**
 * On the whole hub, a publisher, type and version have one digest: every org that holds them holds the same manifest.
 *
 * @throws CONFLICTING_VERSION
 */
export const assertOneDigest = (held: readonly HeldVersion[], key: Key, digest: string): void => {
  const other = otherDigest(held, key, digest);
  if (other !== null) throw conflictingVersion(key, digest, other);
};

/** The conflicting digest; null if there is none. */
export const otherDigest = (
  held: readonly HeldVersion[],
  key: Key,
  digest: string,
): string | null =>
  held.find(({ version, manifestDigest }) => version === key.version && manifestDigest !== digest)
    ?.manifestDigest ?? null;

export const conflictingVersion = (
  { publisher, type, version }: Key,
  incomingDigest: string,
  existingDigest: string,
): NotaryError =>
  new NotaryError(
    'CONFLICTING_VERSION',
    `Version ${version} of ${publisher}/${type} is registered with another manifest.`,
    { publisher, recordType: type, version, incomingDigest, existingDigest },
  );
