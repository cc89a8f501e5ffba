import { expect, it } from 'vitest';
import { shellEnvironment } from '../../../config/shell-environment.ts';
import { CLIENT_SECRETS, toolEnvironment } from '../../../config/tool-environment.ts';

/** Of what the client reads, these say where something is, and open nothing. */
const NO_SECRETS = ['NOTARY_URL', 'NOTARY_CONTEXT', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME'];

it('a tool server gets nothing that the client reads but for what opens nothing', () => {
  const read = new Set<string>();
  const env = new Proxy<NodeJS.ProcessEnv>(
    {},
    { get: (_env, name) => read.add(String(name)) && '' },
  );
  shellEnvironment(env);
  expect([...read].sort()).toEqual([...NO_SECRETS, ...CLIENT_SECRETS].sort());
  const given = Object.fromEntries([...read, 'PATH', 'SIGNER_KEK'].map((name) => [name, 'x']));
  expect(Object.keys(toolEnvironment(given)).sort()).toEqual([...NO_SECRETS, 'PATH'].sort());
});
