import type { NextStep, NotaryRecord } from '../client/shapes.ts';

/** What a person gives for a step. */
export interface StepField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'line' | 'json' | readonly string[];
  readonly required?: true;
  /** What stands in the field at first. */
  readonly initial?: string;
}

export interface StepForm {
  readonly fields: readonly StepField[];
  /** What the page adds: the very thing that it showed, so that nothing else is agreed to. */
  readonly fixed?: object;
}

/** The form of a step that the service names as possible; null for what the console does not do. */
export const formOf = (
  { action, method }: Pick<NextStep, 'action' | 'method'>,
  record: NotaryRecord,
): StepForm | null => (method === 'GET' ? null : (FORMS.get(action)?.(record) ?? null));

/**
 * The body of a step.
 *
 * @param given by the names of the fields; what is empty is left out.
 * @throws StepInputError where a field holds no JSON object.
 */
export const bodyOf = (
  { fields, fixed }: StepForm,
  given: (name: string) => string,
): { readonly [name: string]: unknown } => {
  const filled = fields
    .map((field) => ({ field, text: given(field.name).trim() }))
    .filter(({ text }) => text !== '');
  return {
    ...fixed,
    ...Object.fromEntries(
      filled.map(({ field, text }) => [
        field.name,
        field.kind === 'json' ? objectOf(field, text) : text,
      ]),
    ),
  };
};

export class StepInputError extends Error {
  override readonly name = 'StepInputError';
}

const objectOf = ({ label }: StepField, text: string): object => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new StepInputError(`${label}: this is no JSON object, such as {"score": 5}.`);
  return value;
};

const REASON: StepField = { name: 'reason', label: 'Reason (optional)', kind: 'line' };
const EVIDENCE: StepField = {
  name: 'evidence',
  label: 'Evidence, a JSON object',
  kind: 'json',
  required: true,
};

const FORMS: ReadonlyMap<string, (record: NotaryRecord) => StepForm> = new Map<
  string,
  (record: NotaryRecord) => StepForm
>([
  ['accept', ({ criteriaHash }) => ({ fields: [], fixed: { criteriaHash } })],
  [
    'accept-counter',
    ({ counterProposal }) => ({
      fields: [],
      fixed: counterProposal ? { criteriaHash: counterProposal.criteriaHash } : {},
    }),
  ],
  ['activate', () => ({ fields: [] })],
  ['evaluate', () => ({ fields: [] })],
  ['verify-cascade', () => ({ fields: [] })],
  [
    'propose',
    () => ({
      fields: [
        { name: 'performerAgentId', label: 'Performer, by id', kind: 'line', required: true },
      ],
    }),
  ],
  [
    'counter-propose',
    ({ criteria }) => ({
      fields: [
        {
          name: 'criteria',
          label: 'Other criteria, a JSON object',
          kind: 'json',
          required: true,
          initial: JSON.stringify(criteria, null, 2),
        },
        { name: 'message', label: 'Message (optional)', kind: 'line' },
      ],
    }),
  ],
  ['submit-completion', () => ({ fields: [EVIDENCE] })],
  [
    'render-verdict',
    ({ latestCompletionId }) => ({
      fields: [{ name: 'verdict', label: 'Verdict', kind: ['accept', 'reject'] }, REASON],
      fixed: { completionId: latestCompletionId },
    }),
  ],
  ['revision', () => ({ fields: [REASON] })],
  ['reject', () => ({ fields: [REASON] })],
  ['cancel', () => ({ fields: [REASON] })],
  [
    'open-dispute',
    () => ({
      fields: [
        { name: 'grounds', label: 'Grounds (optional)', kind: 'line' },
        { name: 'statement', label: 'Statement (optional)', kind: 'line' },
      ],
    }),
  ],
  ['submit-dispute-evidence', () => ({ fields: [EVIDENCE] })],
  ['escalate-dispute', () => ({ fields: [REASON] })],
  [
    'resolve-dispute',
    () => ({
      fields: [
        { name: 'outcome', label: 'Outcome', kind: ['UPHELD', 'OVERTURNED'] },
        { name: 'resolution', label: 'Resolution', kind: 'line', required: true },
      ],
    }),
  ],
  ['withdraw-dispute', () => ({ fields: [] })],
]);
