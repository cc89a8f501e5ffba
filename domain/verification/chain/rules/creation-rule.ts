import { isNotarizeOnly } from '../../../record-type/manifest.ts';
import type { Awaiting } from '../../../record/record-state.ts';
import { sidesOfActor } from './acting.ts';
import { isTooLate, type SealedStep, type StepRule } from './sealed-step.ts';

/** The operator may set a lower limit, and none above this one. */
const MAX_DEPTH = 10;

/** A record begins as its parties, its type and its parent have it. */
export const checkCreation: StepRule = (step, fail) => {
  const { entry, before, after, manifest } = step;
  if (before) return;
  const { schema } = entry;
  if (
    manifest &&
    (manifest.type !== schema.type ||
      manifest.publisher !== schema.publisher ||
      manifest.version !== schema.version)
  )
    fail('the manifest is the one of another record type');
  if (manifest && after.gateMode !== manifest.gateMode)
    fail('the gate mode is not the one of the manifest');
  if (manifest && after.operatingMode !== manifest.operatingMode)
    fail('the operating mode is not the one of the manifest');
  if (manifest && isNotarizeOnly(manifest) !== (after.status === 'RECORDED'))
    fail(`a record of this type does not begin ${after.status}`);
  checkParties(step, fail);
  checkPlace(step, fail);
  checkFederation(step, fail);
  const awaited = openingAwaits(step);
  if (after.awaiting !== awaited) fail(`a record that begins ${after.status} awaits ${awaited}`);
  if (after.status === 'RECORDED' && after.expiresAt !== null)
    fail('a record that has ended does not expire');
  if (after.expiresAt !== null && isTooLate(entry.at, after.expiresAt))
    fail('a record does not begin after it has expired');
  if (
    after.status !== 'RECORDED' &&
    after.expiresAt === null &&
    typeof manifest?.defaultTtlSeconds === 'number'
  )
    fail('a record of this type has a time to live');
};

/** A record of two hubs begins as an offer of home, which the mirror only follows. */
const checkFederation: StepRule = ({ entry, after }, fail) => {
  const { federation, status } = after;
  if (!federation) return;
  const { role, recordId } = federation;
  if (status !== 'PROPOSED') fail('a record of two hubs begins as a proposal');
  if ((role === 'mirror') !== (recordId !== null)) fail('a mirror names the record of its home');
  if ((role === 'mirror') !== (entry.actor.kind === 'peer'))
    fail('a mirror comes from its peer, and a record of this hub does not');
};

const checkParties: StepRule = ({ after }, fail) => {
  const { status, principalAgentId, performerAgentId, performerOrgId, orgId } = after;
  // Of which org a performer on another hub is, home learns later.
  const isForeign = after.federation?.role === 'home' && performerOrgId === null;
  if ((performerAgentId === null) !== (performerOrgId === null) && !isForeign)
    fail('a performer is sealed with its org');
  const isOther = performerAgentId !== null && performerAgentId !== principalAgentId;
  if (!isOther && performerAgentId !== null && performerOrgId !== orgId)
    fail('an agent is of one org');
  if (status === 'PROPOSED' && !isOther) fail('a record is proposed to another agent');
  if (status === 'CREATED' && isOther) fail('a record with a counterparty begins as a proposal');
  if (status === 'ACTIVE' && performerAgentId === null) fail('an active record has a performer');
  if (status === 'ACTIVE' && performerOrgId !== null && performerOrgId !== orgId)
    fail('a performer of another org has to accept first');
};

const checkPlace: StepRule = ({ after }, fail) => {
  const { id, parentRecordId, rootRecordId, depth, federation } = after;
  const isRoot = parentRecordId === null;
  // A mirror is the root here, however deep its home stands there; and so its children stand deeper than one.
  const isDeepRoot = isRoot && federation?.role === 'mirror';
  if (
    (isRoot !== (depth === 0) && !isDeepRoot) ||
    isRoot !== (rootRecordId === id) ||
    parentRecordId === id
  )
    fail('parent, root and depth contradict each other');
  if (!isRoot && depth === 1 && rootRecordId !== parentRecordId)
    fail('a record at depth 1 is right below its root');
  if (depth > MAX_DEPTH) fail(`no tree is more than ${MAX_DEPTH} deep`);
};

const openingAwaits = ({ entry, after }: SealedStep): Awaiting => {
  switch (after.status) {
    case 'CREATED':
      return 'principal';
    case 'PROPOSED':
      return sidesOfActor(entry.actor, after).has('principal') ? 'performer' : 'principal';
    case 'ACTIVE':
      return 'performer';
    default:
      return null;
  }
};
