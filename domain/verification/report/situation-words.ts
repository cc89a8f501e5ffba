import type { Situation } from './situation.ts';
import type { VerificationReport } from './report.ts';

/** Where a reader is: on a page with fields, or at a command line with options. */
export type Surface = 'page' | 'command';

/** One situation for people: a title, what is missing, and what the reader does next. */
export interface SituationWords {
  readonly title: string;
  /** The file is signed, but by none of the keys that the reader trusts. */
  readonly isDifferentKey: boolean;
  readonly missing: string;
  readonly next: string;
}

/** `next` is one sentence for both surfaces, or one for each. */
type Row = readonly [
  title: string,
  missing: string,
  next: string | Readonly<Record<Surface, string>>,
];

const FETCH_AGAIN = 'Fetch the file from the service again, or ask for a new one.';
const ASK =
  'Ask the operator for the fingerprint of the signing key, by another way than this file,';

/** The most basic situation comes first: if several apply, a reader needs the first one. */
const WORDS: Readonly<Record<Situation, Row>> = {
  unfinished: [
    'The verifier could not finish',
    'This is a fault of the verifier. It says nothing about the file.',
    'Try another release of the verifier, and report the fault with the text below.',
  ],
  unreadable: [
    'The file cannot be read',
    'It is empty, cut off, damaged or saved in another encoding.',
    `${FETCH_AGAIN} Do not open and save it in an editor.`,
  ],
  too_large: [
    'The file is larger than this verifier reads',
    'Some of it was not checked.',
    'Ask for the export of a single record.',
  ],
  not_ours: [
    'This file is not evidence of this kind of notary',
    'It is not an audit export, an attestation or a signed statement, so there is nothing to verify.',
    'Choose the file that the notary exported.',
  ],
  other_format: [
    'The file has a format that this verifier does not read',
    'Another release of the service wrote it. The rules of this verifier do not apply to it.',
    'Verify it with the release that wrote it, or fetch the file again.',
  ],
  key_needed: [
    'This kind of file needs the keys themselves',
    'It names its signing key and does not contain it. A fingerprint is not enough to check the signature.',
    {
      page: 'Fetch /v1/verification-keys from the service yourself, and choose that file under “More checks for experts”.',
      command: 'Give the file or the URL of /v1/verification-keys with --keys.',
    },
  ],
  no_key: [
    'No key that you trust was given',
    'The file fits together, but anyone can sign a file with a key of their own.',
    { page: `${ASK} and enter it in the field.`, command: `${ASK} and give it with --keys.` },
  ],
  different_key: [
    'Signed by a different key than the one you trust',
    'The fingerprint has a typing error or belongs to another service, the file is older than that key, or someone made the file with a key of their own.',
    'Compare your fingerprint with the one that the operator gave you. If it is right, do not rely on this file: fetch it again, or ask the operator for a new one.',
  ],
  compromised_key: [
    'Signed by a key that was retired as compromised',
    'Another person may have that key, and may have made this file and dated it back.',
    {
      page: `${FETCH_AGAIN} The present key vouches for what was there before.`,
      command: `${FETCH_AGAIN} If it has a time stamp from before the retirement, give --tsa-roots.`,
    },
  ],
  retired_key: [
    'Signed by a retired key',
    'Nothing here shows that this was signed before the key was retired.',
    `${FETCH_AGAIN} The whole answer of /v1/verification-keys says how each key was retired.`,
  ],
  unknown_algorithm: [
    'Signed with an algorithm that this verifier does not know',
    'The signatures could not be checked.',
    'Use a newer release of the verifier, on a newer browser or Node.',
  ],
  incomplete: [
    'Nothing shows that the file is complete',
    'The key that you trust vouches for what is in it, but later or related entries may be missing.',
    FETCH_AGAIN,
  ],
  receipts: [
    'Some receipts cannot be checked',
    'They are missing, belong to another record or service, or are signed by a key that proves nothing.',
    FETCH_AGAIN,
  ],
  other_hub: [
    'What the other hub signed cannot be checked',
    'A part of what the two hubs signed for each other is missing.',
    'Fetch the exports of both hubs again, and give both.',
  ],
  kept_statement: [
    'A kept statement cannot be compared with this file',
    'A kept statement is compared with the export of its own record.',
    'Give the export of the record that the statement is about.',
  ],
};

/** The words for the situation that a reader needs first; null unless the verdict is `cannot_tell`. */
export const wordsOfSituation = (
  { verdict, situations }: Pick<VerificationReport, 'verdict' | 'situations'>,
  surface: Surface,
): SituationWords | null => {
  const situation = verdict === 'cannot_tell' ? firstOf(situations) : null;
  if (situation === null) return null;
  const [title, missing, next] = WORDS[situation];
  return {
    title,
    isDifferentKey: situation === 'different_key',
    missing,
    next: typeof next === 'string' ? next : next[surface],
  };
};

/** The reasons that add something to the words of the situation. */
export const furtherReasons = ({
  verdict,
  reasons,
  situations,
  differentKey,
}: Pick<
  VerificationReport,
  'verdict' | 'reasons' | 'situations' | 'differentKey'
>): readonly string[] => {
  const first = verdict === 'cannot_tell' ? firstOf(situations) : null;
  const isNamed = differentKey !== undefined || first === 'no_key' || first === 'key_needed';
  return reasons
    .filter((_, index) => {
      const situation = situations[index];
      if (first === null) return true;
      return situation === 'different_key' ? !isNamed : situation !== 'no_key';
    })
    .map((reason) => reason.replace(PREFIX, ''));
};

const PREFIX = /^cannot tell: /;

const firstOf = (situations: readonly Situation[]): Situation | null =>
  (Object.keys(WORDS) as Situation[]).find((one) => situations.includes(one)) ?? null;
