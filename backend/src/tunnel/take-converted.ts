import type { IncomingMessage } from 'node:http';
import type { AllowedProject } from './allow-list.ts';
import type { Reservation } from './body-memory.ts';
import { envelopeOfReports, namesInQuery, reportsTypeOf } from './reports-endpoint.ts';
import type { Arrival, Intake } from './intake.ts';
import { type BodyLimits, readBody } from './read-body.ts';
import { type Converted, envelopeOfStoreBody } from './store-endpoint.ts';
import type { TunnelResponse } from './response.ts';
import type { Route } from './tunnel-paths.ts';

/** Takes what is no envelope but can be made one. */

/** One request on its way in. */
export interface Upload {
  readonly request: IncomingMessage;
  readonly route: Route;
  readonly arrival: Arrival;
  readonly reservation: Reservation;
}

interface ReportLimits extends BodyLimits {
  readonly reportMaxBytes: number;
}

/** A bare event, of an SDK that has this host in its DSN. */
export async function takeStoreBody(
  upload: Upload,
  intake: Intake,
  limits: BodyLimits,
): Promise<TunnelResponse> {
  const project = intake.authenticate(upload.arrival.credentials);
  if ('outcome' in project) return project;
  const body = await readBody(upload.request, limits, upload.reservation);
  if (body.outcome !== 'ok') return body;
  const converted = await envelopeOfStoreBody(body.bytes, project.project, limits.maxBytes);
  return takeConverted({ upload, intake, project, body: body.bytes }, converted);
}

/** What a browser reports by itself; `?project=<id>` names another project than the first. */
export async function takeReports(
  upload: Upload,
  intake: Intake,
  limits: ReportLimits,
): Promise<TunnelResponse> {
  const type = reportsTypeOf(upload.request.headers['content-type']);
  if (type === undefined) {
    return { outcome: 'coding', detail: 'expected application/csp-report or application/reports+json' };
  }
  const query = new URLSearchParams(upload.route.query);
  const project = intake.projectOfReports(query.get('project'));
  if ('outcome' in project) return project;
  const { reportMaxBytes: maxBytes } = limits;
  const body = await readBody(upload.request, { maxBytes, compressedMaxBytes: maxBytes }, upload.reservation);
  if (body.outcome !== 'ok') return body;
  const origin = { project: project.project, names: namesInQuery(query) };
  const converted = envelopeOfReports(body.bytes, type, origin);
  return takeConverted({ upload, intake, project, body: body.bytes }, converted);
}

interface Conversion {
  readonly upload: Upload;
  readonly intake: Intake;
  readonly project: AllowedProject;
  /** As it came. */
  readonly body: Buffer;
}

/** The envelope names its project in its header; what the request said of it has been heard. */
function takeConverted(
  { upload: { arrival, reservation }, intake, project, body }: Conversion,
  converted: Converted,
): TunnelResponse | Promise<TunnelResponse> {
  if (converted.outcome !== 'ok') return intake.refuseMalformed(body, arrival, project, converted.detail);
  const { envelope } = converted;
  if (!reservation.covers(body.length + envelope.length)) {
    return { outcome: 'unavailable', detail: 'too many bodies are under way', project };
  }
  return intake.take(envelope, { ...arrival, credentials: { projectId: null, keys: [] } });
}
