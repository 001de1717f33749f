/** Names of requests whose number is bounded. */
import type { FastifyRequest } from 'fastify'

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Returns the method of a request; `other` for an unusual one. */
export const methodOf = ({ method }: FastifyRequest): string => (knownMethods.has(method) ? method : 'other')
