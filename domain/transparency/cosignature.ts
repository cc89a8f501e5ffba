import { sha256, toHex } from '../kernel/digest.ts';

/** What a witness signs: it names the one checkpoint, and can be read as nothing else. */
export const cosignatureBytes = (coseSign1: Uint8Array): Uint8Array =>
  new TextEncoder().encode(`service.org-reads.cosign.v1\n${toHex(sha256(coseSign1))}`);
