export const VERIFY_DESCRIPTION =
  'verify audit exports, signed statements and dumps offline, without asking the service';

export const VERIFY_KEYS =
  'the keys you trust, obtained apart from the file: a verification-keys document, its URL, an anchor (a checkpoint that was copied out of the database; its key is trusted), or the SHA-256 fingerprint of one key (hex, with or without colons and "sha256:", or sha256: and base64); may be repeated, and then each has to stand in the file';

export const VERIFY_WITH_KEYS =
  'the keys you trust for the other hub, as --keys are for the first; those of one hub vouch for nothing of the other';

export const VERIFY_TSA_ROOTS =
  'roots of the time-stamp authorities you trust, PEM: checks the time stamps of checkpoints, which are left alone without it';

export const VERIFY_HELP = `
Examples:
  notary verify export.json --keys sha256:<fingerprint that bootstrap printed>
  notary verify export.json --keys sha256:<the first pin> --keys sha256:<the pin after a rotation>
  NOTARY_API_KEY=<key> notary verify https://notary.example/v1/records/<id>/audit-export --keys keys.json
  notary verify exports/ --keys keys.json              a line for each *.json, *.ndjson, *.cose of the folder
  notary verify exports.ndjson --keys keys.json        whole exports, one a line: a line for each
  notary verify exports.json --keys keys.json          a JSON array of whole exports: a line for each
  notary verify export.json --keys keys.json --kept kept.json
  notary verify dump/ --keys keys.json --expect-root <root that notary dump printed>
  notary verify dump/ --keys keys.json --tsa-roots roots.pem
  notary verify dump/ --keys keys.json --kept kept.json
  notary verify kept.json --keys keys.json             the signedStatement of an answer, saved alone
  notary verify home.json --keys sha256:<pin of one hub> --with mirror.json --with-keys sha256:<pin of the other>

A URL is fetched with the key in NOTARY_API_KEY, over https, or http on this machine, and not kept.
A signed statement alone is shown to be signed, not to be on a chain. It holds no key, so it takes the
keys themselves and not their fingerprint. Held against an export or a dump with --kept, another entry
at its position, or none in a chain that was closed more than 300 s after it, makes the file invalid.
Where it cannot be told (too new, of another record, not verifying), the file's verdict stays, and the
exit code of a valid one is 2.

With --with the exports of both hubs of one record are verified, each under its own keys, and held
against each other. Where they contradict each other, the failure names the hub that signed both. What
one file is too old to hold cannot be told: exit code 2. One time line tells both chains.

Above the checks stands what the file is about; notary show tells that alone. Each check is passed,
FAILED, or skipped, with the reason.
Exit code 0: valid, 1: invalid, 2: cannot tell; of several files the worst.`;

export const SHOW_DESCRIPTION =
  'tell what an export or a signed statement is about, offline, or with the profile a record: who, when, what was decided';

export const SHOW_HELP = `
Examples:
  notary show export.json --keys sha256:<fingerprint that bootstrap printed>
  notary show export.json --keys keys.json --json
  notary show 0190… --watch                            a record of the service of the profile

The file is verified as notary verify does it, without the list of checks. Where it is not found valid,
or no key was given, that stands at the top, and what follows is only what the file says. Names of agents
and orgs are never sealed. Of more than 1,000 steps the first and the last 500 are told.
Of a record the export is asked for with the profile, and the signing key that its context trusts is
trusted, unless --keys name others.
Exit code 0: valid, 1: invalid, 2: cannot tell; of a record also 3: no credential that is good, 4: the
service is away, 130: Ctrl-C.`;
