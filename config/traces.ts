import type { Traces } from '../adapters/telemetry/open-traces.ts';
import type { Tracer } from '../application/ports/tracer.port.ts';
import type { Log } from '../application/ports/log.port.ts';
import type { Settings } from './settings-table.ts';
import { VERSION } from './build-version.ts';

/** Starts what tells traces, and closes the way to the collector behind it: what the last calls did is told as well. */
export const withTraces = async <S extends { stop(): Promise<void> }>(
  settings: Settings,
  log: Log,
  start: (tracer: Tracer | null) => Promise<S>,
): Promise<S> => {
  const traces = await tracesOf(settings, log);
  if (!traces) return start(null);
  try {
    const service = await start(traces.tracer);
    const stop = async (): Promise<void> => {
      try {
        await service.stop();
      } finally {
        await traces.close();
      }
    };
    return { ...service, stop };
  } catch (error) {
    await traces.close();
    throw error;
  }
};

/** Null where no collector is set; then nothing of OpenTelemetry is loaded. */
const tracesOf = async (settings: Settings, log: Log): Promise<Traces | null> => {
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === '') return null;
  const { openTraces } = await import('../adapters/telemetry/open-traces.ts');
  return openTraces({
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: settings.OTEL_SERVICE_NAME,
    version: VERSION,
    role: settings.ROLE,
    sampler: settings.OTEL_TRACES_SAMPLER,
    samplerRatio: settings.OTEL_TRACES_SAMPLER_ARG,
    ca: settings.EGRESS_CA || null,
    log,
  });
};
