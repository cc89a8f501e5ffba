import { isObject, type JsonObject, type JsonValue } from '../../../kernel/canonical-json.ts';
import { CurrentValues, type Subject } from './current-values.ts';
import { textOf } from './platform-registry.ts';

/**
 * The values that acts of the platform chain replace. An act that states the previous value must state the one that the
 * newest earlier act gave, and a peer changes its state only as the service lets it.
 */
export class ChangedValues {
  private readonly values = new CurrentValues();

  /** What is wrong with the next act. */
  faultsOf(act: JsonObject): readonly string[] {
    const faults = [...this.valueFaults(act), ...this.peerFaults(act)];
    for (const { subject, value } of givenBy(act)) this.values.give(subject, value);
    return faults;
  }

  private *valueFaults(act: JsonObject): Iterable<string> {
    for (const { subject, value } of replacedBy(act))
      if (this.values.has(subject, value) === false) {
        const [what, id] = subject;
        yield `the ${textOf(what)} of ${textOf(id)} was another one before this`;
      }
  }

  private *peerFaults({ entryType, peerHubId, state }: JsonObject): Iterable<string> {
    const from = PEER_STATES_BEFORE.get(textOf(entryType));
    if (!from) return;
    if (state !== undefined && !this.leadsTo(entryType, peerHubId, textOf(state)))
      yield `an act ${textOf(entryType)} does not lead a peer to ${textOf(state)}`;
    const states = from.map((state) => this.values.has(['state', peerHubId], state));
    // A peer that never had a state was not registered, which is judged elsewhere.
    if (states.includes(true) || states.includes(null)) return;
    yield `a peer in the state of ${textOf(peerHubId)} takes no ${textOf(entryType)}`;
  }

  /** An update leaves the state, or is the handshake that a registered peer waits for. */
  private leadsTo(
    entryType: JsonValue | undefined,
    peerHubId: JsonValue | undefined,
    state: string,
  ): boolean {
    const after = PEER_STATES_AFTER.get(textOf(entryType));
    if (after) return after.includes(state);
    const subject = ['state', peerHubId];
    return (
      this.values.has(subject, state) !== false ||
      (state === 'ACTIVE' && this.values.has(subject, 'REGISTERED') === true)
    );
  }
}

/** The states to which an act leads a peer, by the type of its entry. */
const PEER_STATES_AFTER: ReadonlyMap<string, readonly string[]> = new Map([
  ['PEER_REGISTERED', ['REGISTERED', 'ACTIVE']],
  ['PEER_APPROVED', ['REGISTERED', 'ACTIVE']],
  ['PEER_KEY_CHANGED', ['ACTIVE']],
  ['PEER_SUSPENDED', ['SUSPENDED']],
  ['PEER_RESUMED', ['ACTIVE']],
  ['PEER_REVOKED', ['REVOKED']],
]);

interface Value {
  readonly subject: Subject;
  readonly value: JsonValue;
}

const valueOf = (what: string, id: JsonValue | undefined, value: JsonValue | undefined): Value[] =>
  value === undefined ? [] : [{ subject: [what, id], value }];

/** One value for each setting, because a later release may know more of them. */
const settingsOf = (orgId: JsonValue | undefined, settings: JsonValue | undefined): Value[] =>
  isObject(settings)
    ? Object.entries(settings).map(([name, value]) => ({
        subject: [`setting ${name}`, orgId],
        value,
      }))
    : [];

const powersOf = (
  apiKeyId: JsonValue | undefined,
  { scopes, allowedIps }: JsonObject,
): readonly Value[] => [
  ...valueOf('scopes', apiKeyId, scopes),
  ...valueOf('allowed addresses', apiKeyId, allowedIps),
];

const givenBy = (act: JsonObject): readonly Value[] => {
  const { agentId, orgId, hubId, peerHubId, thumbprint, publicKeyThumbprint, state } = act;
  switch (act['entryType']) {
    case 'AGENT_CREATED':
      return [
        // An agent may be created without the member, and then performs any type.
        ...valueOf('capabilities', agentId, act['capabilities'] ?? []),
        ...valueOf('encryption key', agentId, null),
      ];
    case 'AGENT_CAPABILITIES_CHANGED':
      return valueOf('capabilities', agentId, act['capabilities']);
    case 'ENCRYPTION_KEY_SET':
      return valueOf('encryption key', agentId, thumbprint);
    case 'API_KEY_MINTED':
    case 'API_KEY_ROTATED':
      return powersOf(act['apiKeyId'], act);
    case 'ISSUER_CREATED':
      return valueOf('purpose', act['issuerId'], act['appliesTo']);
    case 'ORG_CREATED':
    case 'ORG_UPDATED':
      return settingsOf(orgId, act['settings']);
    case 'HUB_KEY_CREATED':
    case 'HUB_KEY_CHANGED':
      return valueOf('hub key', hubId, publicKeyThumbprint);
    default:
      return peerHubId === undefined
        ? []
        : [
            ...valueOf('key', peerHubId, publicKeyThumbprint),
            ...valueOf('state', peerHubId, state),
          ];
  }
};

const replacedBy = (act: JsonObject): readonly Value[] => {
  const { agentId, orgId, hubId, peerHubId, previousThumbprint } = act;
  switch (act['entryType']) {
    case 'AGENT_CAPABILITIES_CHANGED':
      return valueOf('capabilities', agentId, act['previousCapabilities']);
    case 'ENCRYPTION_KEY_SET':
      return valueOf('encryption key', agentId, act['replacedThumbprint']);
    case 'API_KEY_ROTATED':
      // A rotation gives the next key what the previous one had.
      return powersOf(act['previousApiKeyId'], act);
    case 'ISSUER_UPDATED':
      return valueOf('purpose', act['issuerId'], act['appliesTo']);
    case 'ORG_UPDATED':
      return settingsOf(orgId, act['previousSettings']);
    case 'HUB_KEY_CHANGED':
      return valueOf('hub key', hubId, previousThumbprint);
    case 'PEER_KEY_CHANGED':
      return valueOf('key', peerHubId, previousThumbprint);
    case 'PEER_UPDATED':
    case 'PEER_SUSPENDED':
    case 'PEER_RESUMED':
    case 'PEER_REVOKED':
      return valueOf('key', peerHubId, act['publicKeyThumbprint']);
    default:
      return [];
  }
};

/** The states from which a peer takes an act, by the type of its entry. One that is not registered has no state. */
export const PEER_STATES_BEFORE: ReadonlyMap<string, readonly string[]> = new Map([
  ['PEER_REGISTERED', ['REVOKED']],
  ['PEER_APPROVED', ['REVOKED']],
  ['PEER_UPDATED', ['REGISTERED', 'ACTIVE', 'SUSPENDED']],
  ['PEER_KEY_CHANGED', ['REGISTERED', 'ACTIVE']],
  ['PEER_SUSPENDED', ['ACTIVE']],
  ['PEER_RESUMED', ['SUSPENDED']],
  ['PEER_REVOKED', ['REGISTERED', 'ACTIVE', 'SUSPENDED']],
]);
