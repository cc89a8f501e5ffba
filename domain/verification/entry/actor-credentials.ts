import type { JsonObject } from '../../kernel/canonical-json.ts';

/**
 * Checks that a sealed actor has the one credential of its kind. An API key, a certificate (which names the identity that the
 * provider vouched for) or, for admins and operators, a token of a provider. The service and a peer have none here.
 *
 * @returns what is wrong, in words; null: nothing.
 */
export const credentialFault = (actor: JsonObject): string | null => {
  const { kind, agentId, apiKeyId, certId, oidc, peerHubId } = actor;
  if (kind === 'system')
    return Object.keys(actor).length === 1 ? null : 'the service itself has no credential';
  if (kind === 'peer')
    return peerHubId !== undefined && Object.keys(actor).length === 2
      ? null
      : 'a peer acts as a hub, and has no credential of this one';
  if (peerHubId !== undefined) return 'only a peer acts for another hub';
  if (apiKeyId !== undefined)
    return certId === undefined && oidc === undefined
      ? null
      : 'the actor has two credentials, and acts by one';
  if (certId !== undefined)
    return kind === 'agent' && oidc !== undefined
      ? null
      : 'a certificate is that of an agent, and names the identity that it was issued to';
  if (oidc === undefined) return 'whoever acts is sealed with a credential';
  return kind !== 'agent' && agentId === undefined
    ? null
    : 'an agent acts by a certificate, and not by the token of an identity provider alone';
};
