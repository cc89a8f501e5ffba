import { SIEM_LINE } from '../../../application/siem/examples.ts';
import { streamSiem } from '../../../application/siem/operations.ts';
import { bind, type RestBinding } from '../binding.ts';

/** What a SIEM pulls. */
export const siemBindings: readonly RestBinding[] = [
  bind(streamSiem, {
    method: 'GET',
    path: '/v1/siem/stream',
    forms: [
      {
        name: 'ndjson',
        mediaType: 'application/x-ndjson',
        example: SIEM_LINE,
        parts: ({ lines }) => lines,
      },
    ],
    answerHeaders: {
      words: {
        'X-Service-Stream-Cursor': 'Send it back as cursor, as it is',
        'X-Service-Stream-Holdback-Seconds':
          'Age of the oldest event that has no number yet and so is not here, rounded up; else 0',
      },
      of: ({ cursor, holdbackSeconds }) => ({
        'X-Service-Stream-Cursor': cursor,
        'X-Service-Stream-Holdback-Seconds': String(holdbackSeconds),
      }),
    },
  }),
];
