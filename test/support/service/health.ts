import { DEGRADED_REASON_CODES } from '../../../application/operations/degraded-reasons.ts';
import { JudgeHealth } from '../../../application/operations/judge-health.ts';
import type { RunningService } from '../../../config/service.ts';

export const metricsOf = async (
  service: Pick<RunningService, 'url'>,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly text: string; readonly type: string | null }> => {
  const answer = await fetch(`${service.url}/metrics`, { headers });
  const type = answer.headers.get('content-type');
  return { status: answer.status, text: await answer.text(), type };
};

/** The value of a sample, by its name and labels; NaN if the exposition has none. */
export const valueOf = (text: string, line: string): number => {
  const found = text.split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? Number.NaN : Number(found.slice(line.length + 1));
};

/** The reasons of the moment: as the judge finds them, and as the metrics show them, which have to agree. */
export const reasonsOf = async (service: RunningService): Promise<readonly string[]> => {
  const { text } = await metricsOf(service);
  const shown = DEGRADED_REASON_CODES.filter((code) =>
    text.includes(`\nservice_degraded{reason="${code}"} 1\n`),
  );
  const absent = DEGRADED_REASON_CODES.filter(
    (code) => !text.includes(`\nservice_degraded{reason="${code}"} `),
  );
  if (absent.length > 0) throw new Error(`the metrics do not know ${absent.join(', ')}`);
  const { reasons } = await service.container.get(JudgeHealth).report();
  return shown.filter((code) => reasons.includes(code));
};
