import { sha256Hex } from '../kernel/digest.ts';

/** What the new key signs at a rotation, to show that its holder takes part. The prefix is used for nothing else. */
export const possessionBytes = (keyId: string, coseKeyBytes: Uint8Array): Uint8Array =>
  new TextEncoder().encode(`service.key-possession.v1\n${keyId}\n${sha256Hex(coseKeyBytes)}`);
