#!/usr/bin/env node
import { createVerifyProgram } from '../adapters/cli/verify-program.ts';
import { InputError } from '../adapters/cli/input-error.ts';
import { processIo } from '../adapters/cli/process-io.ts';
import { hashWithRuntime } from '../adapters/system/runtime-sha256.ts';
import type { GateEvaluator } from '../domain/record-type/gate-evaluator.port.ts';
import { RELEASE } from './version.ts';

hashWithRuntime();

// What is fetched may be what is trusted: nobody turns the check of certificates off for it.
delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];

/** CEL is larger than everything else together, and few need it: it is a file of its own, beside this one. */
const GATES = 'notary-gates.mjs';

const gateEvaluator = async (): Promise<GateEvaluator> => {
  try {
    const gates = (await import(new URL(GATES, import.meta.url).href)) as {
      readonly CelGateEvaluator: new () => GateEvaluator;
    };
    return new gates.CelGateEvaluator();
  } catch (cause) {
    throw new InputError(
      `--gates needs ${GATES}, which comes from where this file came from, in the folder of this file`,
      { cause },
    );
  }
};

const apiKey = process.env['NOTARY_API_KEY'] || null;
process.exitCode = await createVerifyProgram({ gateEvaluator, apiKey }, processIo, RELEASE).run(
  process.argv.slice(2),
);
