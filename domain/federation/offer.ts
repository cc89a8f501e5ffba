import type { Uuid } from '../kernel/ids.ts';
import {
  isNotarizeOnly,
  manifestDigest,
  type Manifest,
  type RecordType,
} from '../record-type/manifest.ts';
import type { RecordStatePredicate } from '../record/record-statement.ts';
import type { ProjectionPredicate } from './projection.ts';

/** What makes the entry of an offer none: it says something else than its projection, or is no proposal to this hub. */
export const offerFault = (
  projection: ProjectionPredicate,
  predicate: RecordStatePredicate,
  { own, peer }: { readonly own: Uuid; readonly peer: Uuid },
): string | null => {
  const { principal, performer, recordId, ack } = projection;
  const { transition, terms, awaiting } = predicate;
  if (transition.action !== 'create' || transition.to !== 'PROPOSED' || awaiting !== 'performer')
    return 'it is no proposal to the performer';
  if (predicate.recordId !== recordId) return 'its entry is about another record';
  const claim = terms?.federation;
  if (claim?.role !== 'home' || claim.peerHubId !== own || claim.recordId !== null)
    return 'its entry does not offer the record to this hub';
  if (principal.hubId !== peer || performer?.hubId !== own)
    return 'its parties belong to other hubs';
  if (principal.agentId !== predicate.principalAgentId || principal.orgId !== predicate.orgId)
    return 'the principal is not the one of its entry';
  if (performer.agentId !== predicate.performerAgentId || performer.orgId !== null)
    return 'the performer is not the one of its entry';
  return ack === 0 ? null : 'it acknowledges what nobody sent';
};

/**
 * The type that an offer pins; in words why it cannot be taken.
 *
 * @param manifest that the offer brings, complete.
 */
export const typeOfOffer = (
  manifest: Manifest,
  { schema, terms }: RecordStatePredicate,
): RecordType | string => {
  if (manifestDigest(manifest) !== schema.manifestDigest)
    return 'the manifest is not complete, or has another digest than the one that is sealed';
  if (
    manifest.type !== schema.type ||
    manifest.publisher !== schema.publisher ||
    manifest.version !== schema.version
  )
    return 'the manifest is one of another type';
  if (isNotarizeOnly(manifest)) return 'the type notarizes, and has no performer';
  if (manifest.gateMode !== terms?.gateMode || manifest.operatingMode !== terms.operatingMode)
    return 'the terms are not those of the manifest';
  return keptType(schema, manifest);
};

/** A type that is kept with a mirror: it is registered nowhere here. */
export const keptType = (
  schema: RecordStatePredicate['schema'],
  manifest: Manifest,
): RecordType => ({
  id: schema.orgId,
  orgId: schema.orgId,
  publisher: schema.publisher,
  type: schema.type,
  version: schema.version,
  manifest,
  manifestDigest: schema.manifestDigest,
  status: 'active',
  registeredBy: null,
  registeredAt: '1970-01-01T00:00:00.000Z',
  entryPosition: 0,
});
