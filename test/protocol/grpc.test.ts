import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentials, status } from '@grpc/grpc-js';
import { afterAll, describe, expect, it } from 'vitest';
import { AdminService } from '../../adapters/grpc/generated/notary/v1/admin_service_pb.ts';
import { RecordService } from '../../adapters/grpc/generated/notary/v1/record_service_pb.ts';
import { VaultService } from '../../adapters/grpc/generated/notary/v1/vault_service_pb.ts';
import { nameOf } from '../../adapters/grpc/method.ts';
import { UNARY } from '../../adapters/grpc/methods.ts';
import { Vault } from '../../application/sealing/vault.ts';
import { TOKENS } from '../../config/tokens.ts';
import { openOrgRead } from '../../domain/transparency/org-read.ts';
import { useApi } from '../support/service/api.ts';
import { GrpcClient, type Answered } from '../support/clients/grpc-client.ts';
import { openServerStream } from '../support/clients/grpc-streams.ts';
import { hasTools } from '../support/runner/tools.ts';
import { mintKey, ok, unknownKey, type Body } from '../support/service/world.ts';

const api = useApi({ GRPC_PORT: '0' });
const proxied = useApi({
  GRPC_PORT: '0',
  TRUSTED_PROXIES: '127.0.0.1/32',
  RATE_LIMIT_ANONYMOUS: '5',
  RATE_LIMIT_AGENT: '50',
  MAX_BODY_BYTES: '4096',
});
const clients: GrpcClient[] = [];
afterAll(() => clients.forEach((client) => client.close()));

const clientOf = ({ service } = api): GrpcClient => {
  const client = new GrpcClient(String(service.grpc));
  clients.push(client);
  return client;
};
const bearer = (key: unknown, more: object = {}) => ({
  authorization: `Bearer ${String(key)}`,
  ...more,
});
const NOTE = { type: 'note', criteria: Buffer.from('{"text":"n"}'), references: [] };
const { method: record } = RecordService;
const reasonOf = ({ details }: Answered): unknown => details['ErrorInfo']?.reason;

const createNote = async (from = api): Promise<string> => {
  const answer = await clientOf(from).call(
    record.create,
    NOTE,
    bearer(from.world.principal.client.key),
  );
  expect(answer.detail).toBe('');
  return (answer.message as unknown as Body)['record'].id as string;
};

describe('a call by gRPC', () => {
  it('tells beside its answer what REST tells in headers', async () => {
    const headers = bearer(api.world.principal.client.key, { 'x-request-id': 'my-call-1' });
    const { trailers, message } = await clientOf().call(record.create, NOTE, headers);
    expect(trailers.getMap()).toMatchObject({
      'x-request-id': 'my-call-1',
      etag: '"1"',
      'x-created': 'true',
    });
    const { id } = (message as unknown as Body)['record'] as Body;
    const chain = await ok(
      api.world.principal.client.get(`/v1/records/${String(id)}/audit-export`),
    );
    expect(chain['chain'].entries[0].statement.predicate.requestId).toBe('my-call-1');
  });

  it('is refused with a status whose details hold what the problem holds', async () => {
    const { principal } = api.world;
    const id = await createNote();
    const message = { recordId: id, action: 'accept' };
    const refused = await clientOf().call(record.transition, message, bearer(principal.client.key));
    expect(refused.code).toBe(status.FAILED_PRECONDITION);
    expect(refused.details['ErrorInfo']).toMatchObject({
      reason: 'INVALID_ACTION',
      domain: 'notary.v1',
      metadata: {
        kind: 'unprocessable',
        currentState: 'RECORDED',
        retryable: 'false',
        type: '/problems/invalid-action',
      },
    });
    expect(refused.details['PreconditionFailure'].violations).toMatchObject([
      { type: 'INVALID_ACTION', subject: 'RECORDED' },
    ]);
    const missing = await clientOf().call(
      record.create,
      { ...NOTE, type: '' },
      bearer(principal.client.key),
    );
    expect(missing.code).toBe(status.INVALID_ARGUMENT);
    expect(missing.details['BadRequest'].fieldViolations).toMatchObject([
      { field: 'type', reason: 'REQUIRED', description: 'is required' },
    ]);
  });

  it('is refused as REST refuses: unknown key 16, scope 7, missing 5, stale version 9', async () => {
    const { principal, admin } = api.world;
    const id = await createNote();
    const { client: reader } = await mintKey(admin, principal.id, { scopes: ['records:read'] });
    const calls = await Promise.all([
      clientOf().call(record.get, { recordId: id }),
      clientOf().call(record.get, { recordId: id }, bearer(unknownKey())),
      clientOf().call(record.get, { recordId: id }, { authorization: 'Basic abc' }),
      clientOf().call(record.create, NOTE, bearer(reader.key)),
      clientOf().call(
        record.get,
        { recordId: '019c1f00-0000-7000-8000-000000000001' },
        bearer(principal.client.key),
      ),
      clientOf().call(
        record.transition,
        { recordId: id, action: 'cancel' },
        bearer(principal.client.key, { 'if-match': '"7"' }),
      ),
    ]);
    expect(calls.map((call) => [call.code, reasonOf(call)])).toEqual([
      [status.UNAUTHENTICATED, 'UNAUTHORIZED'],
      [status.UNAUTHENTICATED, 'UNAUTHORIZED'],
      [status.UNAUTHENTICATED, 'UNAUTHORIZED'],
      [status.PERMISSION_DENIED, 'INSUFFICIENT_SCOPE'],
      [status.NOT_FOUND, 'NOT_FOUND'],
      [status.FAILED_PRECONDITION, 'PRECONDITION_FAILED'],
    ]);
  });

  it('asks for the role and the scope of its operation, whatever the method', async () => {
    const { principal, admin } = api.world;
    // A scope that opens none of them but what any valid credential may call.
    const { client: bare } = await mintKey(admin, principal.id, { scopes: ['reputation:read'] });
    const codes = await Promise.all(
      UNARY.map(async ({ method, operation }) => {
        const { code } = await clientOf().callBytes(
          `/${nameOf(method)}`,
          Buffer.alloc(0),
          bearer(bare.key),
        );
        const anonymous = await clientOf().callBytes(`/${nameOf(method)}`, Buffer.alloc(0));
        return [nameOf(method), operation.access({}), code, anonymous.code] as const;
      }),
    );
    for (const [name, access, code, anonymous] of codes) {
      if (access === 'public') expect([name, code, anonymous]).toEqual([name, 0, 0]);
      else {
        expect([name, anonymous]).toEqual([name, status.UNAUTHENTICATED]);
        const isOpen = access.scope === null && !access.roles;
        expect([name, code === status.PERMISSION_DENIED]).toEqual([name, !isOpen]);
      }
    }
  });

  it('honours the addresses of a key, behind proxies that are trusted', async () => {
    const { principal, admin } = proxied.world;
    const { client: key } = await mintKey(admin, principal.id, {
      scopeProfile: 'agent-full',
      allowedIps: ['203.0.113.0/24'],
    });
    const from = async (forwarded?: string): Promise<number> =>
      (
        await clientOf(proxied).call(
          record.list,
          {},
          bearer(key.key, { 'x-forwarded-for': forwarded }),
        )
      ).code;
    expect(await from('203.0.113.9')).toBe(status.OK);
    expect(await from('198.51.100.1')).toBe(status.UNAUTHENTICATED);
    expect(await from('203.0.113.9, 198.51.100.1')).toBe(status.UNAUTHENTICATED);
    expect(await from()).toBe(status.UNAUTHENTICATED);
  });

  it('counts failed authentication by address, and says when to come again', async () => {
    const from = (forwarded: string): Promise<Answered> =>
      clientOf(proxied).call(
        record.list,
        {},
        bearer(unknownKey(), { 'x-forwarded-for': forwarded }),
      );
    const codes: number[] = [];
    for (let round = 0; round < 7; round++) codes.push((await from('203.0.113.77')).code);
    expect(codes).toEqual([...Array<number>(5).fill(16), 8, 8]);
    expect((await from('203.0.113.78')).code).toBe(16);
    const refused = await from('203.0.113.77');
    expect(Number(refused.details['RetryInfo'].retryDelay.seconds)).toBeGreaterThan(0);
    expect(refused.trailers.get('x-ratelimit-remaining')).toEqual(['0']);
    // REST counts in the same window.
    const rest = await proxied.world.anonymous.get('/v1/records', {
      authorization: `Bearer ${unknownKey()}`,
      'x-forwarded-for': '203.0.113.77',
    });
    expect(rest.status).toBe(429);
  });

  it('takes messages up to MAX_BODY_BYTES, and says of a larger one that it is', async () => {
    const { principal } = proxied.world;
    const of = (size: number) => ({
      ...NOTE,
      criteria: Buffer.from(JSON.stringify({ text: 'x'.repeat(size) })),
    });
    const fits = await clientOf(proxied).call(
      record.create,
      of(3_900),
      bearer(principal.client.key),
    );
    const large = await clientOf(proxied).call(
      record.create,
      of(5_000),
      bearer(principal.client.key),
    );
    expect([fits.code, large.code]).toEqual([status.OK, status.RESOURCE_EXHAUSTED]);
  });

  it('ends at its deadline', async () => {
    const headers = bearer(api.world.principal.client.key);
    const late = await clientOf().call(record.create, NOTE, headers, { deadline: -1 });
    expect(late.code).toBe(status.DEADLINE_EXCEEDED);
  });

  it('refuses a credential that must co-sign, and says where it can', async () => {
    const world = await ok(
      api.world.platform.post('/v1/admin/orgs', {
        name: 'Cosigners',
        bootstrapAdmin: true,
        settings: { requireCoSignature: 'request' },
      }),
    );
    const admin = world['bootstrapKey'].apiKey as string;
    const refused = await clientOf().call(record.list, {}, bearer(admin));
    expect(refused.code).toBe(status.PERMISSION_DENIED);
    expect(refused.detail).toMatch(
      /gRPC carries no co-signature: make this call over REST, or over A2A/,
    );
    expect(refused.details['ErrorInfo'].metadata.reason).toBe('co_signature_required');
    const signed = await clientOf().call(
      record.create,
      NOTE,
      bearer(api.world.principal.client.key, { 'x-agent-signature': 'abc' }),
    );
    expect([signed.code, signed.detail]).toEqual([
      status.INVALID_ARGUMENT,
      expect.stringContaining('carries no co-signature'),
    ]);
  });

  it.each([
    ['service-cosign', status.INVALID_ARGUMENT],
    ['web-bot-auth', status.OK],
  ])('answers a signature with the tag %s', async (tag, code) => {
    const signature = {
      'signature-input': `sig=("@method" "@target-uri" "content-digest");created=1;tag="${tag}"`,
      signature: 'sig=:AAAA:',
    };
    const answer = await clientOf().call(
      record.create,
      NOTE,
      bearer(api.world.principal.client.key, signature),
    );
    expect(answer.code).toBe(code);
  });

  it('by an administrator that reads leaves a leaf in the log of the org, with its protocol', async () => {
    const { admin, orgId } = api.world;
    const id = await createNote();
    await clientOf().call(
      record.get,
      { recordId: id },
      bearer(admin.key, { 'x-request-id': 'grpc-read-1' }),
    );
    const { container } = api.service;
    const log = await container.get(TOKENS.orgReadsLogs).from(orgId, 0, 10_000);
    const { keyOf } = container.get(Vault);
    const said = await Promise.all(log.map((read) => openOrgRead(read, keyOf)));
    expect(said.find((one) => one?.requestId === 'grpc-read-1')).toMatchObject({
      operation: 'getRecord',
      target: `record/${id}`,
      protocol: 'grpc',
    });
  });

  it('shows a secret once, and nothing of it to a repetition', async () => {
    const { principal, admin } = api.world;
    const message = {
      role: 'agent',
      ownerType: 'agent',
      ownerId: principal.id,
      scopes: ['records:read'],
      allowedIps: [],
    };
    const headers = bearer(admin.key, { 'idempotency-key': 'mint-1' });
    const mint = async (): Promise<Body> => {
      const { message: answer, detail } = await clientOf().call(
        AdminService.method.mintApiKey,
        message,
        headers,
      );
      expect(detail).toBe('');
      return (answer as unknown as Body)['apiKey'] as Body;
    };
    const [first, again] = [await mint(), await mint()];
    expect(first['apiKey']).toMatch(/^svc_agt_/);
    expect(again['keyId']).toBe(first['keyId']);
    expect(again['apiKey']).toBe('');
    expect(again['hint']).toMatch(/rotate/);
  });
});

describe('VaultService.Export', () => {
  it('sends the lines of the NDJSON export, one a message', async () => {
    const { principal } = api.world;
    const id = await createNote();
    const { method } = VaultService;
    const lines: Body[] = [];
    const { call, status: ended } = openServerStream(
      clientOf(),
      method.export,
      { recordId: id },
      bearer(principal.client.key),
    );
    call.on('data', (bytes: Buffer) => lines.push(JSON.parse(lineOf(bytes)) as Body));
    expect((await ended).code).toBe(status.OK);
    const rest = await fetch(`${api.world.url}/v1/records/${id}/audit-export`, {
      headers: { ...bearer(principal.client.key), accept: 'application/x-ndjson' },
    });
    const text = await rest.text();
    const common = (all: readonly Body[]) => all.filter(({ kind }) => kind !== 'header');
    expect(common(lines)).toEqual(
      common(
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Body),
      ),
    );
  });

  it('is refused as a whole before its first line', async () => {
    const { call, status: ended } = openServerStream(
      clientOf(),
      VaultService.method.export,
      { recordId: 'x' },
      bearer(api.world.principal.client.key),
    );
    call.resume();
    expect((await ended).code).toBe(status.INVALID_ARGUMENT);
  });
});

/** The one field of ExportResponse: tag, length, bytes. */
const lineOf = (bytes: Buffer): string => {
  let [at, length, shift] = [1, 0, 0];
  for (;;) {
    const byte = bytes[at++]!;
    length |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte < 0x80) return bytes.subarray(at, at + length).toString();
  }
};

describe.skipIf(!hasTools('openssl'))('gRPC with TLS', () => {
  const pem = (name: string): string => readFileSync(`test/support/peers/tls/${name}.pem`, 'utf8');
  const [known, stranger] = [clientCertificate('a client'), clientCertificate('a stranger')];
  const secure = useApi({
    GRPC_PORT: '0',
    GRPC_TLS_CERT: pem('server'),
    GRPC_TLS_KEY: pem('server-key'),
  });
  const mutual = useApi({
    GRPC_PORT: '0',
    GRPC_TLS_CERT: pem('server'),
    GRPC_TLS_KEY: pem('server-key'),
    GRPC_TLS_CLIENT_CA: known.cert,
  });
  const by = async (
    { service, world }: typeof api,
    creds = credentials.createInsecure(),
  ): Promise<number> => {
    const port = String(service.grpc).split(':').at(-1)!;
    const client = new GrpcClient(`localhost:${port}`, creds, {
      'grpc.ssl_target_name_override': 'localhost',
    });
    clients.push(client);
    return (
      await client.call(record.list, {}, bearer(world.principal.client.key), { deadline: 3_000 })
    ).code;
  };
  const ca = Buffer.from(pem('ca'));

  it('takes those who trust its authority, and nobody in the clear', async () => {
    expect(await by(secure, credentials.createSsl(ca))).toBe(status.OK);
    expect(await by(secure)).not.toBe(status.OK);
  });

  it('demands a certificate of the client where it names an authority of clients', async () => {
    const shows = ({ cert, key }: typeof known) =>
      by(mutual, credentials.createSsl(ca, Buffer.from(key), Buffer.from(cert)));
    expect(await shows(known)).toBe(status.OK);
    expect(await shows(stranger)).not.toBe(status.OK);
    expect(await by(mutual, credentials.createSsl(ca))).not.toBe(status.OK);
  });
});

/** Signed by itself, so that it is its own authority. */
function clientCertificate(name: string): { readonly cert: string; readonly key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'notary-grpc-'));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  try {
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'].concat([
        '-subj',
        `/CN=${name}`,
        '-days',
        '2',
        '-keyout',
        key,
        '-out',
        cert,
      ]),
      { stdio: 'ignore' },
    );
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
