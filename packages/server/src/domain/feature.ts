/** A feature of the application as one unit: routes, hooks, writes it stands before, periodic work, and its descriptions. */
import type { Caller } from '@dala/model'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../db/database.ts'
import type { WorkQueue } from '../db/work-queue.ts'
import type { Descriptions } from '../http/description.ts'
import type { FeatureRoutes } from '../resources/feature-routes.ts'
import type { EntryWriters } from '../resources/write/writers.ts'
import type { ReceiveFiles } from '../resources/write/receive-files.ts'
import type { Settings } from '../settings.ts'
import type { Sessions } from './accounts/token-sessions.ts'
import type { SigningKeys } from './accounts/signing-key.ts'
import type { Sockets } from './delivery/sockets.ts'

/** Writes of resources that a feature stands before, by resource. */
export type Writers = Readonly<Partial<Record<string, EntryWriters>>>

/** The parts done and the parts in all of demo content that is added while the server answers. */
export interface DemoProgress {
  done: number
  parts: number
}

/** Everything that a feature may use, the same for all of them. */
export interface FeatureContext extends FeatureRoutes {
  settings: Settings
  sessions: Sessions
  /** The person who is signed in, whatever role they view the panel as; throws 401. */
  signedIn: (request: FastifyRequest) => Promise<Caller>
  signingKeys: SigningKeys
  sockets: Sockets
  /** Work on many records, in the background. */
  queue: WorkQueue
  /** The writes of all features. */
  writers: Writers
  log: FastifyBaseLogger
  /** Progress of demo content that follows behind the start; undefined while none is being added. */
  demoProgress: () => DemoProgress | undefined
  /** Whether the program has begun to stop. */
  isDraining: () => boolean
}

/** Everything that periodic work may use. */
interface JobContext {
  settings: Settings
  database: Database
  log: FastifyBaseLogger
  /**
   * Makes the receiver of failures of one kind of work.
   *
   * @param message - The line of the log.
   */
  logged: (message: string) => (error: unknown) => void
}

/** Periodic work that was started. */
export interface Job {
  /** Stops the work, behind what it is doing. */
  stop(): Promise<void>
}

/** A feature; it is registered as a plugin of its own, so that its hooks hold for its own routes. */
export interface Feature {
  readonly name: string
  /** Writes that the feature stands before. */
  writers?(settings: Settings): Writers
  /** Adds hooks that every request passes, before any route is registered. */
  hooks?(app: FastifyInstance, context: FeatureContext): void
  /** Registers the routes, and joins sockets, events and the work queue. */
  register?(app: FastifyInstance, context: FeatureContext): void | Promise<void>
  /** Makes the reader of a record that arrives with its pictures; one feature has it. */
  receiveFiles?(context: FeatureContext): ReceiveFiles
  /** Starts the periodic work. */
  jobs?(context: JobContext): readonly Job[]
  /** Loads the descriptions of the routes for the document of the API. */
  describe?(): Promise<Descriptions>
}
