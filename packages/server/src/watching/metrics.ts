/** The metrics of the server: the only place that declares their names, units, help and labels. */

/** A metric as Prometheus sees it; `unit` is for readers, because the name ends with it. */
export interface MetricDeclaration {
  kind: 'counter' | 'gauge' | 'histogram'
  unit: string
  help: string
  /** Names of the labels, each with a bounded number of values. */
  labels: readonly string[]
  /** Upper bounds of the buckets of a histogram. */
  buckets?: readonly number[]
}

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const statementBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]
const pauseBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5]

export const metrics = {
  dala_build_info: {
    kind: 'gauge',
    unit: '',
    help: 'Always 1; the version of the program, of Node, and the kind of database',
    labels: ['version', 'node', 'database'],
  },
  dala_process_start_time_seconds: {
    kind: 'gauge',
    unit: 's',
    help: 'Time of the start of the process since 1970',
    labels: [],
  },
  dala_http_request_duration_seconds: {
    kind: 'histogram',
    unit: 's',
    help: 'Time from the head of a request to the end of its answer',
    labels: ['route', 'method', 'status'],
    buckets: requestBuckets,
  },
  dala_refused_requests_total: {
    kind: 'counter',
    unit: '',
    help: 'Refused requests by the code of the refusal, auth.throttled or server.busy for instance',
    labels: ['code'],
  },
  dala_sockets_open: { kind: 'gauge', unit: '', help: 'Open sockets of pages', labels: [] },
  dala_event_loop_delay_seconds: {
    kind: 'gauge',
    unit: 's',
    help: 'Delay of the event loop since the last scrape: its median, its 99th percentile and its maximum',
    labels: ['quantile'],
  },
  dala_process_memory_bytes: {
    kind: 'gauge',
    unit: 'By',
    help: 'Memory of the process: all of it (resident), its heap in use, and buffers outside the heap',
    labels: ['kind'],
  },
  dala_process_memory_limit_bytes: {
    kind: 'gauge',
    unit: 'By',
    help: 'Memory that the process may use: the limit of its container or service, else that of the machine',
    labels: [],
  },
  dala_process_cpu_seconds_total: {
    kind: 'counter',
    unit: 's',
    help: 'Processor time of the process',
    labels: ['mode'],
  },
  dala_garbage_collection_duration_seconds: {
    kind: 'histogram',
    unit: 's',
    help: 'Pauses of garbage collection',
    labels: [],
    buckets: pauseBuckets,
  },
  dala_database_connections: {
    kind: 'gauge',
    unit: '',
    help: 'Connections of the pool by state; turns for a statement with the embedded database',
    labels: ['state'],
  },
  dala_database_connections_limit: {
    kind: 'gauge',
    unit: '',
    help: 'Most connections of the pool, or turns of the embedded database',
    labels: [],
  },
  dala_database_waiting: {
    kind: 'gauge',
    unit: '',
    help: 'Statements and transactions that wait for a connection, or in the queue of the embedded database',
    labels: [],
  },
  dala_database_statement_duration_seconds: {
    kind: 'histogram',
    unit: 's',
    help: 'Time of statements with their wait for a connection, by their first word',
    labels: ['operation'],
    buckets: statementBuckets,
  },
  dala_database_errors_total: {
    kind: 'counter',
    unit: '',
    help: 'Failed statements by the class of SQLSTATE; `connection` when the database did not answer',
    labels: ['class'],
  },
  dala_jobs_waiting: {
    kind: 'gauge',
    unit: '',
    help: 'Background jobs that wait for their turn on any instance',
    labels: ['kind'],
  },
  dala_jobs_running: {
    kind: 'gauge',
    unit: '',
    help: 'Background jobs that run in this process',
    labels: ['kind'],
  },
  dala_jobs_total: {
    kind: 'counter',
    unit: '',
    help: 'Background jobs that ended in this process',
    labels: ['kind', 'outcome'],
  },
  dala_letters_total: {
    kind: 'counter',
    unit: '',
    help: 'Attempts to deliver letters by e-mail in this process',
    labels: ['outcome'],
  },
  dala_letters_waiting: {
    kind: 'gauge',
    unit: '',
    help: 'Letters of the last day that are not delivered yet, in the whole installation',
    labels: [],
  },
  dala_upload_bytes_total: {
    kind: 'counter',
    unit: 'By',
    help: 'Received bytes of uploaded files, by the way of the upload: in a form, or resumable',
    labels: ['way'],
  },
  dala_disk_free_bytes: {
    kind: 'gauge',
    unit: 'By',
    help: 'Free space of the disk of DATA_DIR',
    labels: [],
  },
  dala_disk_write_seconds: {
    kind: 'gauge',
    unit: 's',
    help: 'Time until the disk of DATA_DIR had stored the last small write, measured every three seconds',
    labels: [],
  },
  dala_disk_size_bytes: { kind: 'gauge', unit: 'By', help: 'Size of the disk of DATA_DIR', labels: [] },
} as const satisfies Record<string, MetricDeclaration>

export type MetricName = keyof typeof metrics
