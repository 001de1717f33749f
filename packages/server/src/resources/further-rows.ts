/** Rows of another kind that an export adds to its records: a second sheet, or further rows of a csv file. */
import type { Caller, MessageCandidates, Resource, WrittenLocale } from '@dala/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database, Queries } from '../db/database.ts'
import type { Runner } from './read/read.ts'

/**
 * Types of values in an additional sheet. Days and moments are texts in wire format; a choice is a value of
 * the exported resource's field.
 */
export type FurtherKind = 'day' | 'moment' | 'amount' | 'count' | 'choice' | 'text'

export interface FurtherColumn {
  heading: MessageCandidates
  kind: FurtherKind
  /**
   * The exported field whose csv column the values of a further row share; without one they have a column
   * after the others.
   */
  underName?: string
}

type RowReader = Runner & Pick<Queries, 'query' | 'rows'>

export interface FurtherRows {
  /** Name of the additional sheet in an exported file. */
  title: MessageCandidates
  columns: readonly FurtherColumn[]
  /** Reads the keys of at most `most` rows of the additional sheet, in order. */
  findKeys: (runner: RowReader, maxKeys: number) => Promise<readonly number[]>
  /** Reads the values of the additional sheet's rows in the order of its columns. */
  readRows: (runner: RowReader, keys: readonly number[]) => Promise<readonly (readonly unknown[])[]>
}

/** A table that is exported as a sheet, without being the list of a resource. */
export interface TableExport {
  /** Name of the exported file, before the day. */
  name: string
  /** The resource that the exported rows belong to, for the audit. */
  resource: Resource
  language: WrittenLocale
  rows: FurtherRows
}

/** Sends a table as a sheet, within the limits of all exports. */
export type SendTable = (
  database: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  table: TableExport,
) => Promise<FastifyReply>
