/**
 * The files of generic writes (contract §4, multipart). The
 * upload feature implements it, and app.ts passes it on.
 */
import type { Resource } from '@dala/model'
import type { FastifyRequest } from 'fastify'
import type { Author } from '../history/history.ts'
import type { AnsweredWrite } from './idempotency.ts'

type Draft = Record<string, unknown>

/**
 * Reads a multipart write, stores its files and passes the complete draft to `write`. The
 * draft is the part `data`, in which the ids of the files of `files.<field>` replace that
 * field; in a list they are appended. Its digest is equal for equal data and files. Files
 * for other fields than pictures are ignored, like unknown attributes. When `write`
 * throws or repeats an earlier answer, the stored files and their records are deleted.
 *
 * @param request - The request, whose body has not been read.
 * @returns The result of `write`.
 */
export type ReceiveFiles = (
  request: FastifyRequest,
  author: Author,
  resource: Resource,
  writeDraft: (draft: Draft, digest: string) => Promise<AnsweredWrite<unknown>>,
) => Promise<unknown>
