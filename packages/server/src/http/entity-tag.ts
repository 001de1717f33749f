/** Compares the ETag of an answer with those that a client has (RFC 9110, section 13.1.2). */
import type { FastifyRequest } from 'fastify'

const withoutWeakness = (tag: string) => tag.trim().replace(/^W\//u, '')

/**
 * Tells whether the client of a request has the answer already, which is then answered with 304.
 *
 * @param request - The request, with or without the header `if-none-match`.
 * @param tag - The ETag of the answer as it is now.
 */
export function isCurrent({ headers }: FastifyRequest, tag: string): boolean {
  const listedTags = headers['if-none-match']?.split(',') ?? []
  return listedTags.some((listedTag) => ['*', withoutWeakness(tag)].includes(withoutWeakness(listedTag)))
}
