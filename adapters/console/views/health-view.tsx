import { may, useSession } from '../session.ts';
import { useLoaded } from '../use-loaded.ts';
import { Id, Shown, Time } from './parts.tsx';

/** How the service and its vault fare, as far as the key may know. */
export const HealthView = () => {
  const session = useSession();
  const isOperator = may(session, 'admin:system') && session.caller.role === 'platform';
  return (
    <>
      <h1>Health</h1>
      <Components />
      {isOperator ? (
        <VaultHealth />
      ) : (
        <p class="note">What there is to know of the vault is shown to a platform key.</p>
      )}
    </>
  );
};

const Components = () => {
  const { client } = useSession();
  // The page of who has no key as well, so the document of the operations does not list it.
  const loaded = useLoaded(async () => (await client.follow(STATUS)) as ServiceStatus, []);
  return (
    <Shown of={loaded} name="the status">
      {({ status, version, components }) => (
        <>
          <p>
            The service is <strong class={toneOf(status)}>{status}</strong>, version {version}.
          </p>
          <ul>
            {components.map((one) => (
              <li key={one.name}>
                {one.name}: <span class={toneOf(one.status)}>{one.status}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Shown>
  );
};

interface ServiceStatus {
  readonly status: string;
  readonly version: string;
  readonly components: readonly { readonly name: string; readonly status: string }[];
}

const STATUS = { action: 'status', method: 'GET', href: '/status', description: '' } as const;

const toneOf = (status: string): string => (status === 'operational' ? 'passed' : 'failed');

const VaultHealth = () => {
  const { client } = useSession();
  const loaded = useLoaded(async (signal) => {
    const [summary, rewinds, keys] = await Promise.all([
      client.request('get', '/v1/admin/ops-summary', {}, { signal }),
      client.request('get', '/v1/admin/vault/rewind', {}, { signal }),
      client.verificationKeys({ signal }),
    ]);
    return { summary, rewinds, keys };
  }, []);
  return (
    <Shown of={loaded} name="the vault">
      {({ summary: { vault, degradedReasons }, rewinds, keys }) => (
        <>
          <h2>Vault</h2>
          {degradedReasons.length === 0 ? (
            <p class="passed">✓ Nothing is found against it.</p>
          ) : (
            <ul id="degraded">
              {degradedReasons.map((one) => (
                <li key={one.code} class={one.severity === 'critical' ? 'failed' : 'open'}>
                  <code>{one.code}</code>: {one.detail} {one.suggestion}
                </li>
              ))}
            </ul>
          )}
          <dl>
            <dt>Signing key</dt>
            <dd>
              <code>sha256:{vault.fingerprint}</code> ({vault.algorithm}), as the service says
            </dd>
            <dt>Keys</dt>
            <dd>
              {keys.data.filter(({ status }) => status === 'active').length} active,{' '}
              {keys.data.filter(({ status }) => status === 'retired').length} retired
            </dd>
            <dt>Newest checkpoint</dt>
            <dd>
              <Time at={vault.newestCheckpointAt} />
            </dd>
            <dt>Anchors</dt>
            <dd>
              {vault.anchoring.backend === 'none'
                ? 'none: nobody outside this database holds its checkpoints'
                : `${vault.anchoring.backend}, every ${vault.anchoring.intervalMinutes} min, ${vault.anchoring.pending} pending, ${vault.anchoring.failures} failed`}
            </dd>
            <dt>Rewound chains</dt>
            <dd class={vault.rewoundChains === 0 ? undefined : 'failed'}>{vault.rewoundChains}</dd>
          </dl>
          {rewinds.data.length > 0 && (
            <>
              <h3>Chains that are not what their checkpoints saw</h3>
              <ul>
                {rewinds.data.map((one) => (
                  <li key={`${one.chainKey} ${one.anchoredPosition}`}>
                    <Id view="records" id={one.chainKey} /> {one.finding}: a checkpoint saw position{' '}
                    {one.anchoredPosition}, the database ends at {one.localPosition}; found{' '}
                    <Time at={one.detectedAt} />
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </Shown>
  );
};
