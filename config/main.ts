#!/usr/bin/env node
import type { ExportCommands } from '../adapters/cli/export.ts';
import { createProgram, type Commands } from '../adapters/cli/program.ts';
import { processIo } from '../adapters/cli/process-io.ts';
import { BuiltFolder } from '../adapters/docs/built-folder.ts';
import { hashWithRuntime } from '../adapters/system/runtime-sha256.ts';
import { shellEnvironment } from './shell-environment.ts';
import { toolEnvironment } from './tool-environment.ts';
import { VERSION } from './build-version.ts';

hashWithRuntime();

// What is fetched may be what is trusted: nobody turns the check of certificates off for it.
delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];

type OfMain = keyof ExportCommands | 'dumpLanes' | 'toolEnvironment' | 'shell';
/** Only the commands that need the service load it; help and verification work without it. */
const load = async (): Promise<Omit<Commands, OfMain>> => (await import('./commands.ts')).commands;
const commands: Commands = {
  serve: async (io, demo) => (await load()).serve(io, demo),
  bootstrap: async (io) => (await load()).bootstrap(io),
  mintKey: async (io, input) => (await load()).mintKey(io, input),
  revokeKey: async (io, input) => (await load()).revokeKey(io, input),
  listKeys: async (io, role) => (await load()).listKeys(io, role),
  apiKey: process.env['NOTARY_API_KEY'] || null,
  toolEnvironment: toolEnvironment(process.env),
  get shell() {
    return shellEnvironment(process.env);
  },
  migrate: async (io) => (await load()).migrate(io),
  config: async (io) => (await load()).config(io),
  backup: async (io, file) => (await load()).backup(io, file),
  restore: async (io, file) => (await load()).restore(io, file),
  verifyAnchors: async (io, input) => (await load()).verifyAnchors(io, input),
  doctor: async (io) => (await load()).doctor(io),
  importConfig: async (io, input, onProgress) => (await load()).importConfig(io, input, onProgress),
  dump: async (io, input) => (await load()).dump(io, input),
  scan: async (io, onProgress) => (await load()).scan(io, onProgress),
  gateEvaluator: async () => (await load()).gateEvaluator(),
  serviceUrl: process.env['NOTARY_URL'] ?? 'http://127.0.0.1:3000',
  evidencePage: async () => {
    const page = await new BuiltFolder().read('evidence.html');
    return page && new TextDecoder().decode(page);
  },
  dumpLanes: async (bytes) => {
    const { lanesIn } = await import('../adapters/cli/dump-threads.ts');
    return lanesIn(new URL('./dump-worker.js', import.meta.url), bytes);
  },
  timestampChecker: async (pem) => (await load()).timestampChecker(pem),
};

process.exitCode = await createProgram(commands, processIo, VERSION).run(process.argv.slice(2));
