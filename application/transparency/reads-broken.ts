import { NotaryError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import type { OrgRead } from '../../domain/transparency/org-read.ts';
import type { CoveredReads } from '../../domain/vault/covered-reads.ts';

/** The log of an org's reads was changed behind the service. Nothing is signed over it. */
export const readsBroken = (orgId: Uuid, what: string): NotaryError =>
  new NotaryError(
    'CONFLICT',
    `The stored log of reads of the org ${orgId} is not the one that was signed: ${what}.`,
    {
      reason: 'log_broken',
      suggestion:
        'Tell the operator: the database was changed behind the service, or an older copy of it was restored.',
    },
  );

/** @throws CONFLICT with reason log_broken if the newest leaf lies before the end that the platform chain says. */
export const assertReachesCovered = (
  { orgId, treeSize }: CoveredReads,
  newest: Pick<OrgRead, 'leafIndex'> | null,
): void => {
  const leaves = newest ? newest.leafIndex + 1 : 0;
  if (leaves < treeSize)
    throw readsBroken(orgId, `it has ${leaves} leaves, and the platform chain says ${treeSize}`);
};

export const isReadsBroken = (error: unknown): error is NotaryError =>
  error instanceof NotaryError && error.members['reason'] === 'log_broken';
