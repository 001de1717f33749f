import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { catalogue, labelOfCode } from './errors.ts'
import { Fault, fault, messageOf, toErrorBody, validationFault } from './faults.ts'
import { locales } from '../locales.ts'

describe('the error catalogue', () => {
  it.each([...locales])('has messages in %s for every error code', (locale) => {
    const text = readFileSync(join(import.meta.dirname, '../labels', `${locale}.json`), 'utf8')
    const localeMessages = JSON.parse(text) as Record<string, string>
    expect(Object.entries(catalogue).filter(([, { label }]) => !localeMessages[label])).toEqual([])
  })
  it('returns the label of a known error code only', () => {
    expect(labelOfCode('locale.used')).toBe('error.locale.used')
    expect(labelOfCode('of.a.newer.server')).toBeUndefined()
    expect(labelOfCode('constructor')).toBeUndefined()
  })
})

describe('messageOf', () => {
  it('fills in the placeholders of an error message and leaves unknown ones', () => {
    expect(messageOf('validation.min', { field: 'views', min: 0 })).toBe('views must be at least 0')
    expect(messageOf('validation.min', { field: 'views' })).toBe('views must be at least {min}')
    expect(messageOf('validation.unique', { field: 'code' })).toBe('This attribute must be unique')
  })
})

describe('the error body', () => {
  it('builds an error body with the name of its status, its code and empty details', () => {
    expect(toErrorBody(fault('record.not-found'))).toEqual({
      data: null,
      error: { status: 404, name: 'NotFoundError', message: 'Not Found', code: 'record.not-found', details: {} },
    })
  })
  it.each([
    ['locale.missing', 400, 'ApplicationError', 'locale is missing'],
    ['locale.invalid', 400, 'ApplicationError', 'locale is invalid'],
    ['locale.used', 400, 'ApplicationError', 'locale is already used'],
    ['locale.unknown', 400, 'ApplicationError', "This locale doesn't exist"],
    ['request.data-missing', 400, 'ValidationError', 'Missing "data" payload in the request body'],
    ['auth.invalid-credentials', 400, 'ValidationError', 'Invalid identifier or password'],
    ['auth.unauthorized', 401, 'UnauthorizedError', 'Missing or invalid credentials'],
    ['access.denied', 403, 'ForbiddenError', 'Forbidden'],
    ['chat.not-your-voice', 403, 'ForbiddenError', 'you cannot write on behalf of another consultant'],
    ['record.stale', 409, 'ConflictError', 'The record was changed by someone else'],
    ['record.fixed', 422, 'UnprocessableEntityError', 'These records are fixed'],
    ['auth.throttled', 429, 'RateLimitError', 'Too many requests, please try again later.'],
    ['server.internal', 500, 'InternalServerError', 'internal server error'],
  ] as const)('reports the error %s as %i %s %j', (code, status, name, message) => {
    expect(toErrorBody(fault(code)).error).toMatchObject({ status, name, message })
  })
  it('includes the details of a fault in the error body', () => {
    const refusal = new Fault('record.stale', { details: { current: { id: 1 } } })
    expect(toErrorBody(refusal).error.details).toEqual({ current: { id: 1 } })
  })
  it('includes the parameters of the message in the error body, for clients that translate it', () => {
    const refusal = fault('upload.file-too-large', { params: { size: '10 MB' } })
    expect(toErrorBody(refusal).error.details).toEqual({ params: { size: '10 MB' } })
  })
  it('reports one invalid field by its own message and several by their number', () => {
    const issue = { path: ['title'], code: 'validation.title', params: { field: 'title' } } as const
    expect(toErrorBody(validationFault([issue])).error.message).toBe('please enter a title')
    const { error } = toErrorBody(validationFault([issue, { path: ['kind'], code: 'validation.relation' }]))
    expect(error.message).toBe('2 errors occurred')
    expect(error.details.errors).toEqual([
      {
        path: ['title'],
        message: 'please enter a title',
        name: 'ValidationError',
        code: 'validation.title',
        params: { field: 'title' },
      },
      {
        path: ['kind'],
        message: 'Invalid relations',
        name: 'ValidationError',
        code: 'validation.relation',
        params: {},
      },
    ])
  })
})
