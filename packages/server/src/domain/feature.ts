/**
 * A feature of the application as one unit: routes, hooks,
 * writes of its own, periodic work, and its descriptions.
 */
import type { Caller } from '@dala/model'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../db/database.ts'
import type { WorkQueue } from '../db/work-queue.ts'
import type { Descriptions } from '../http/description.ts'
import type { FeatureRoutes } from '../resources/feature-routes.ts'
import type { EntryWriters } from '../resources/write/writers.ts'
import type { ReceiveFiles } from '../resources/write/receive-files.ts'
import type { Sessions } from './accounts/token-sessions.ts'
import type { SigningKeys } from './accounts/signing-key.ts'
import type { OrganisationSettings, PresentSettings } from './operations/organisation.ts'
import type { Sockets } from './delivery/sockets.ts'

/** Writes of resources that a feature implements instead of the generic ones, by resource. */
export type ResourceWriters = Readonly<Partial<Record<string, EntryWriters>>>

/** Progress of demo content that is added while the server answers: finished parts and all parts. */
export interface DemoProgress {
  done: number
  parts: number
}

/** The dependencies that every feature receives. */
export interface FeatureContext extends FeatureRoutes {
  /** Settings, of which those of the organisation have their present value at each use. */
  settings: PresentSettings
  organisation: OrganisationSettings
  sessions: Sessions
  /** Returns the person who is signed in, whatever role they view the panel as; throws 401. */
  signedIn: (request: FastifyRequest) => Promise<Caller>
  signingKeys: SigningKeys
  sockets: Sockets
  /** Queue for background work on many records. */
  queue: WorkQueue
  /** Writes of all features by resource. */
  writers: ResourceWriters
  log: FastifyBaseLogger
  /** Progress of demo content that is added after the start; undefined while none is being added. */
  demoProgress: () => DemoProgress | undefined
  /** Tells whether the program has begun to stop. */
  isDraining: () => boolean
}

/** The dependencies of a feature's periodic work. */
export interface JobContext {
  settings: PresentSettings
  database: Database
  log: FastifyBaseLogger
  /**
   * Makes the receiver of failures of one kind of periodic work.
   *
   * @param message - The line of the log.
   */
  logFailure: (message: string) => (error: unknown) => void
}

/** Periodic work of a feature that was started. */
export interface Job {
  /** Stops the periodic work after its present run. */
  stop(): Promise<void>
}

/** A feature. It is registered as its own plugin, so that its hooks apply to its own routes only. */
export interface Feature {
  readonly name: string
  /** Returns writes that the feature implements instead of the generic ones. */
  writers?(settings: PresentSettings): ResourceWriters
  /** Adds hooks that every request passes, before any route is registered. */
  hooks?(app: FastifyInstance, context: FeatureContext): void
  /** Registers the routes, and subscribes to sockets, events and the work queue. */
  registerRoutes?(app: FastifyInstance, context: FeatureContext): void | Promise<void>
  /** Makes the reader of a record that is sent with pictures; only one feature has such a reader. */
  receiveFiles?(context: FeatureContext): ReceiveFiles
  /** Starts the periodic work of the feature. */
  jobs?(context: JobContext): readonly Job[]
  /** Loads the descriptions of a feature's routes for the OpenAPI document. */
  describeRoutes?(): Promise<Descriptions>
}
