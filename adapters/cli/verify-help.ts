export const VERIFY_DESCRIPTION =
  'verify audit exports and signed statements offline, without asking the service';

export const VERIFY_KEYS =
  'the keys you trust, obtained apart from the file: a verification-keys document, its URL, or the SHA-256 fingerprint of one key (hex, with or without colons and "sha256:", or sha256: and base64)';

export const VERIFY_HELP = `
Examples:
  notary verify export.json --keys sha256:<fingerprint that bootstrap printed>
  notary verify exports/ --keys keys.json              a line for each *.json of the folder
  notary verify export.json --keys keys.json --kept kept.json
  notary verify kept.json --keys keys.json             the signedStatement of an answer, saved alone

A signed statement alone is shown to be signed, not to be on a chain. It holds no key, so it takes the
keys themselves and not their fingerprint. Held against an export with --kept, another entry at its
position, or none in a chain that was closed more than 300 s after it, makes the export invalid. Where
it cannot be told (too new, of another record, not verifying), the export's verdict stays, and the
exit code of a valid one is 2.

Each check is passed, FAILED, or skipped where the file holds nothing to judge it by.
Exit code 0: valid, 1: invalid, 2: cannot tell; of several files the worst.`;
