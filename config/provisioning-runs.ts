import type { Container } from 'inversify';
import type { Log } from '../application/ports/log.port.ts';
import {
  PROVISIONING_JOB,
  ReconcileFiles,
  type Trigger,
} from '../application/provisioning/reconcile-files.ts';
import { systemOrigin } from '../application/sealing/origin.ts';
import { TOKENS } from './tokens.ts';

/** Applies the provisioning files without a caller, where any are configured. What fails is logged, and holds up nothing. */
export const applyFiles = async (
  container: Container,
  log: Log,
  trigger: Trigger,
): Promise<void> => {
  const files = container.get(ReconcileFiles);
  if (!files.isConfigured) return;
  try {
    if (trigger === 'start' && (await container.get(TOKENS.sql).endLeftLease(PROVISIONING_JOB)))
      log.warn(
        {},
        'a process was killed while it applied its provisioning files; they are gone on with',
      );
    const origin = systemOrigin(container.get(TOKENS.ids).next());
    const { counts, errors, generated, dryRun } = await files.reconcile(origin, trigger);
    for (const error of errors) log.warn({ ...error }, 'a provisioning file is not applied');
    for (const { kind, id, file } of generated)
      log.warn({ kind, id, file }, 'a secret was made and written: collect the file');
    log.info(
      { trigger, counts, dryRun, errors: errors.length, requestId: origin.requestId },
      'the provisioning files were read',
    );
  } catch (error) {
    log.error({ err: error, trigger }, 'the provisioning files were not applied');
  }
};
