import { hashText } from '../../../domain/kernel/digest.ts';
import type { AuditExport } from '../../../domain/verification/read/audit-export.ts';
import { DAY } from './genuine-steps.ts';
import {
  accepted,
  argued,
  cancelled,
  countered,
  created,
  disputed,
  fulfilled,
  hold,
  proposed,
  referenced,
  release,
  revised,
  settle,
  signStory,
  submitted,
  type Story,
} from './lying-operator.ts';
import type { TestHub } from './make-export.ts';

/** Exports of four records. Between them, they have a telling value in every member that the format knows. */
export const tellingExports = async (hub: TestHub): Promise<Map<string, AuditExport>> => {
  const exports = new Map<string, AuditExport>();
  for (const [name, story] of Object.entries(STORIES)) {
    const document = await hub.export(await signStory(hub, story));
    const { counterProposal } = document.record;
    exports.set(name, {
      ...document,
      record: {
        ...document.record,
        counterProposal: counterProposal && { ...counterProposal, message: MESSAGE },
      },
    });
  }
  return exports;
};

/** A record that these exports name and do not hold. */
export const OTHER = '0190e000-0000-7000-8000-00000000000e';
const MESSAGE = 'Rather this.';
const onBehalfOf = {
  subject: { iss: 'https://idp.example', sub: 'alice' },
  validated: true,
  provenance: 'token_exchange',
  act: [{ iss: 'https://idp.example', sub: 'bot' }],
} as const;

const STORIES: Readonly<Record<string, Story>> = {
  disputed: {
    record: {
      platform: 'shop',
      platformRef: 'order-7',
      onBehalfOf: onBehalfOf,
      expiresAt: new Date(Date.parse('2026-11-20T10:00:00.000Z') + 30 * DAY).toISOString(),
    },
    steps: [
      { ...created, members: () => ({ onBehalfOf }) },
      referenced('ACTIVE'),
      submitted(),
      revised,
      submitted('REVISION_REQUESTED'),
      fulfilled,
      settle,
      disputed('FULFILLED'),
      hold,
      argued('FULFILLED'),
      referenced('FULFILLED'),
    ],
  },
  countered: {
    steps: [
      proposed,
      {
        ...countered,
        members: (hub, chain) => ({
          ...countered.members?.(hub, chain),
          messageHash: hashText(MESSAGE),
        }),
      },
    ],
  },
  cancelled: { steps: [created, cancelled, release] },
  child: {
    record: { parentRecordId: OTHER, rootRecordId: OTHER, depth: 1 },
    steps: [proposed, accepted],
  },
};
