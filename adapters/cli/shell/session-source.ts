import { NotaryProblem, NotaryUnreachable } from '../../client/notary-problem.ts';
import type { ExportSource } from '../export-source.ts';
import { InputError } from '../input-error.ts';
import type { Session } from './session.ts';

/** The service of a context, asked as its agent. */
export const sessionSource = ({ client }: Session): ExportSource => ({
  export: (record, { evidence, subtree }) =>
    client.export(record, { ...(evidence ? { evidence } : {}), ...(subtree ? { subtree } : {}) }),
  attestation: async (record) => {
    try {
      return await client.records.attestation(record, { receipts: true });
    } catch (cause) {
      if (!(cause instanceof NotaryProblem || cause instanceof NotaryUnreachable)) throw cause;
      throw new InputError(cause.message, { cause });
    }
  },
});
