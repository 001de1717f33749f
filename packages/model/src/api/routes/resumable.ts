/** Contracts of resumable uploads by the protocol tus 1.0 (contract §10). */
import * as z from 'zod'
import type { JsonSchema } from '../../fields/kind.ts'
import type { ErrorCode } from '../../errors/errors.ts'
import { extensionsOf, pendingHours, uploadPurposes } from '../uploads.ts'
import type { Contracts } from './contract.ts'
import { file, routeGroup } from './uploads.ts'

const roles = { authenticated: 'own', admin: 'own', 'super-admin': 'own', owner: 'own' }
const binary: JsonSchema = { type: 'string', format: 'binary' }
const protocolText = 'Every request has the header `Tus-Resumable: 1.0.0`.'
const extensionsText = uploadPurposes
  .map((purpose) => `\`${purpose}\` (${extensionsOf[purpose].join(', ')})`)
  .join(', ')
const refusalCodes = ['access.denied', 'upload.protocol', 'upload.in-use'] as const satisfies readonly ErrorCode[]

export const resumableRoutes = {
  'POST /api/upload/resumable': {
    group: routeGroup,
    id: 'files.begin',
    summary: 'Begin an upload in pieces',
    details:
      `${protocolText} \`Upload-Length\` is the number of bytes. \`Upload-Metadata\` has \`filename\` and \`purpose\` with Base64 ` +
      `values: ${extensionsText}. Every user uploads documents, staff all of them. It may have \`lesson\`, the id of the lesson that the file is for, and \`locale\`, the language of ` +
      `subtitles: the lesson is not published before the upload ends. The answer has the address of the upload in \`Location\` and its end in \`Upload-Expires\`: an upload ` +
      `that is not finished within ${pendingHours} hours is removed.`,
    answers: { 201: null },
    refusals: [
      ...refusalCodes,
      'upload.metadata',
      'upload.purpose',
      'upload.name',
      'upload.length',
      'upload.file-too-large',
      'upload.quota',
      'record.not-found',
      'server.disk-full',
    ],
    roles,
  },
  'HEAD /api/upload/resumable/:id': {
    group: routeGroup,
    id: 'files.offset',
    summary: 'Get the number of bytes of an upload that have arrived',
    details: `${protocolText} The answer has \`Upload-Offset\` and \`Upload-Length\`, and the id of a stored file in \`Upload-File\`.`,
    answers: { 200: null },
    refusals: [...refusalCodes, 'file.not-found'],
    roles,
  },
  'PATCH /api/upload/resumable/:id': {
    group: routeGroup,
    id: 'files.piece',
    summary: 'Send the next bytes of an upload',
    details:
      `${protocolText} \`Upload-Offset\` is the position of the first byte of the body; at a wrong one the answer is 409 and ` +
      '`details.offset` is the right one. The bytes of a request that is cut are stored. After the last byte the file is checked and ' +
      'stored, and the answer is the list of `POST /api/upload`; the same request without bytes returns it again. A file that is not ' +
      'what its name says is removed.',
    body: { media: { 'application/offset+octet-stream': binary } },
    answers: { 200: z.array(file), 204: null },
    refusals: [
      ...refusalCodes,
      'file.not-found',
      'upload.offset',
      'upload.length',
      'upload.content',
      'upload.macros',
      'upload.codec',
      'upload.subtitles',
      'server.disk-full',
    ],
    roles,
  },
  'DELETE /api/upload/resumable/:id': {
    group: routeGroup,
    id: 'files.cancel',
    summary: 'Cancel an upload and remove its bytes',
    details: `${protocolText} A file that is stored already stays.`,
    answers: { 204: null },
    refusals: [...refusalCodes, 'file.not-found'],
    roles,
  },
} as const satisfies Contracts
