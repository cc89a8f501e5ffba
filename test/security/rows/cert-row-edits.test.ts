import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApi } from '../../support/service/api.ts';
import { AUDIENCE, exchangeOf, OIDC_ENV, startOidc, type Oidc } from '../../support/peers/oidc.ts';
import { Client, ok } from '../../support/service/world.ts';

const api = useApi(OIDC_ENV);
let oidc: Oidc;
let database: InstanceType<typeof DatabaseSync>;

beforeAll(async () => {
  oidc = await startOidc();
  await ok(
    api.world.platform.post('/v1/admin/trusted-issuers', {
      orgId: api.world.orgId,
      issuerUrl: oidc.issuer,
      expectedAudience: AUDIENCE,
    }),
  );
  database = new DatabaseSync(join(api.service.settings.DATA_DIR, 'notary.sqlite'), {
    timeout: 5_000,
    enableForeignKeyConstraints: false,
  });
});
afterAll(async () => {
  database?.close();
  await oidc.close();
});

const bytes = (id: string): Uint8Array => Buffer.from(id.replaceAll('-', ''), 'hex');

const issued = async (): Promise<{ cert: { id: string }; certJws: string }> =>
  (await ok(
    api.world.anonymous.post(
      '/v1/auth/oidc/cert',
      exchangeOf(await oidc.token({ agent_id: api.world.principal.id })),
    ),
  )) as { cert: { id: string }; certJws: string };

describe('a certificate is nothing beside another row than that of what was given out', () => {
  it.each<readonly [string, string, () => string | number | Uint8Array]>([
    ['another agent of the same org', 'agent_id', () => bytes(api.world.performer.id)],
    ['another org', 'org_id', () => Buffer.alloc(16, 7)],
    ['more scopes', 'scopes', () => '["records:write","audit:read","completions:write"]'],
    ['fewer scopes', 'scopes', () => '["records:write"]'],
    ['a later end', 'expires_at', () => Date.parse('2099-01-01T00:00:00.000Z')],
    ['another subject', 'oidc_sub', () => 'somebody'],
    ['another issuer', 'oidc_iss', () => 'https://idp.example'],
    ['another key', 'public_key', () => Buffer.alloc(32, 9)],
  ])('%s', async (_what, column, value) => {
    const { cert, certJws } = await issued();
    expect(
      database
        .prepare(`UPDATE ephemeral_certs SET ${column} = ? WHERE id = ?`)
        .run(value(), bytes(cert.id)).changes,
    ).toBe(1);
    expect((await new Client(api.world.url, certJws).get('/v1/auth/me')).status).toBe(401);
  });

  it('and opens the service beside its own', async () => {
    const { certJws } = await issued();
    expect((await new Client(api.world.url, certJws).get('/v1/auth/me')).status).toBe(200);
  });
});
