/** The error catalogue: every refusal the product can give, with its status, its name on the wire and its English text. */

/** Names of the error body (contract §1), by status. */
const nameOfStatus = {
  400: 'ValidationError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  409: 'ConflictError',
  413: 'PayloadTooLargeError',
  415: 'UnsupportedMediaTypeError',
  416: 'RangeNotSatisfiableError',
  422: 'UnprocessableEntityError',
  429: 'RateLimitError',
  500: 'InternalServerError',
  503: 'ServiceUnavailableError',
  507: 'InsufficientStorageError',
} as const

export type ErrorStatus = keyof typeof nameOfStatus

interface CatalogueEntry {
  status: ErrorStatus
  /** English text of the wire; `{x}` is filled from the fault's params. */
  message: string
  /** Only where it differs from the name that belongs to the status. */
  name?: 'ApplicationError'
  /** Key of the words in the four catalogues. */
  label: string
}

/**
 * Code → status, wire text and words. The texts of spec §5 keep the spec's lower-case spelling on the wire;
 * the panel words the same code in the reader's language by `label`.
 */
export const catalogue = {
  // One field of a body (contract §4)
  'validation.required': { status: 400, message: '{field} must be defined.', label: 'validation.required' },
  'validation.null': { status: 400, message: '{field} must not be null.', label: 'validation.required' },
  'validation.name': { status: 400, message: 'please enter a name', label: 'validation.name' },
  'validation.title': { status: 400, message: 'please enter a title', label: 'validation.title' },
  'validation.question': { status: 400, message: 'please enter a question', label: 'validation.question' },
  'validation.answer': { status: 400, message: 'please enter an answer', label: 'validation.answer' },
  'validation.address': { status: 400, message: 'please enter an address', label: 'validation.address' },
  'validation.email': { status: 400, message: 'please enter your email address', label: 'validation.email' },
  'validation.emailInvalid': {
    status: 400,
    message: 'please enter a valid email address',
    label: 'validation.emailInvalid',
  },
  'validation.emailLength': {
    status: 400,
    message: 'email must be at least 4 characters',
    label: 'validation.emailLength',
  },
  'validation.password': { status: 400, message: 'please enter your password', label: 'validation.password' },
  'validation.passwordLength': {
    status: 400,
    message: 'password must be between {min} and {max} characters',
    label: 'validation.passwordLength',
  },
  'validation.passwordCommon': {
    status: 400,
    message: 'this password is too easy to guess',
    label: 'validation.passwordCommon',
  },
  'validation.passwordPersonal': {
    status: 400,
    message: 'the password must not be the user name, the e-mail address or the name of the product',
    label: 'validation.passwordPersonal',
  },
  'validation.passwordMismatch': {
    status: 400,
    message: 'Passwords do not match',
    label: 'validation.passwordMismatch',
  },
  'validation.region': { status: 400, message: 'please select a region', label: 'validation.region' },
  'validation.district': { status: 400, message: 'please select a district', label: 'validation.district' },
  'validation.directions': { status: 400, message: 'please select directions', label: 'validation.directions' },
  'validation.text': { status: 400, message: '{field} must be a string', label: 'validation.text' },
  'validation.control': {
    status: 400,
    message: '{field} has characters that cannot be stored',
    label: 'validation.control',
  },
  'validation.number': { status: 400, message: '{field} must be a number', label: 'validation.number' },
  'validation.integer': { status: 400, message: '{field} must be a whole number', label: 'validation.integer' },
  'validation.boolean': { status: 400, message: '{field} must be true or false', label: 'validation.boolean' },
  'validation.date': { status: 400, message: '{field} must be a date', label: 'validation.date' },
  'validation.dateTime': { status: 400, message: '{field} must be a date and time', label: 'validation.dateTime' },
  'validation.choice': { status: 400, message: '{field} must be one of: {values}', label: 'validation.choice' },
  'validation.min': { status: 400, message: '{field} must be at least {min}', label: 'validation.min' },
  'validation.max': { status: 400, message: '{field} must be at most {max}', label: 'validation.max' },
  'validation.minLength': {
    status: 400,
    message: '{field} must be at least {min} characters',
    label: 'validation.minLength',
  },
  'validation.maxLength': {
    status: 400,
    message: '{field} must be at most {max} characters',
    label: 'validation.maxLength',
  },
  'validation.url': { status: 400, message: '{field} must be an https address', label: 'validation.url' },
  'validation.slug': {
    status: 400,
    message: '{field} may hold small letters a-z, digits and single hyphens',
    label: 'validation.slug',
  },
  'validation.colour': { status: 400, message: '{field} must be a colour like #1a2b3c', label: 'validation.colour' },
  'validation.json': { status: 400, message: '{field} must be valid JSON', label: 'validation.json' },
  'validation.translations': {
    status: 400,
    message: '{field} may hold only the languages en, ru, uz, kaa',
    label: 'validation.translations',
  },
  'validation.relation': { status: 400, message: 'Invalid relations', label: 'validation.relation' },
  'validation.relationMissing': {
    status: 400,
    message: '{count} relation(s) of type {type} associated with this entity do not exist',
    label: 'validation.relationMissing',
  },
  'validation.maxItems': {
    status: 400,
    message: '{field} may hold at most {max} items',
    label: 'validation.maxItems',
  },
  'validation.cycle': { status: 400, message: '{field} leads back to the record itself', label: 'validation.cycle' },
  'validation.unique': { status: 400, message: 'This attribute must be unique', label: 'validation.unique' },
  'validation.several': { status: 400, message: '{count} errors occurred', label: 'validation.fixErrors' },

  // The request itself
  'request.data-missing': {
    status: 400,
    message: 'Missing "data" payload in the request body',
    label: 'error.400.generic',
  },
  'request.json': { status: 400, message: 'The request body is not valid JSON', label: 'error.400.generic' },
  'request.body': { status: 400, message: 'The request body could not be read', label: 'error.400.generic' },
  'request.forbidden-key': { status: 400, message: 'The key {key} is not allowed', label: 'error.400.generic' },
  'request.text': {
    status: 400,
    message: 'The request has characters that cannot be stored',
    label: 'error.400.generic',
  },
  'request.too-deep': { status: 400, message: 'The request is nested too deeply', label: 'error.400.generic' },
  'request.too-many-keys': { status: 400, message: 'The request has too many keys', label: 'error.400.generic' },
  'request.too-large': { status: 413, message: 'The request body is too large', label: 'error.413.title' },
  'request.media-type': { status: 415, message: 'The body must be application/json', label: 'error.400.generic' },
  'request.header': { status: 400, message: 'The request could not be read', label: 'error.400.generic' },

  // The query (contract §5, §6)
  'query.parameter': { status: 400, message: 'Invalid parameter {key}', label: 'error.400.generic' },
  'query.operator': { status: 400, message: 'Invalid operator {operator}', label: 'error.400.generic' },
  'query.value': { status: 400, message: 'Invalid value for {key}', label: 'error.400.generic' },
  'query.direction': { status: 400, message: 'Invalid sort direction {direction}', label: 'error.400.generic' },
  'query.pagination': {
    status: 400,
    message: 'Invalid pagination parameter {key}',
    label: 'error.400.generic',
  },
  'query.pagination-mixed': {
    status: 400,
    message: 'Use page and pageSize or start and limit, not both',
    label: 'error.400.generic',
  },
  'query.too-large': { status: 400, message: 'The query is too large: {what}', label: 'error.400.generic' },

  // Languages (contract §8)
  'locale.unknown': {
    status: 400,
    name: 'ApplicationError',
    message: "This locale doesn't exist",
    label: 'error.locale.unknown',
  },
  'locale.missing': {
    status: 400,
    name: 'ApplicationError',
    message: 'locale is missing',
    label: 'error.locale.unknown',
  },
  'locale.invalid': {
    status: 400,
    name: 'ApplicationError',
    message: 'locale is invalid',
    label: 'error.locale.unknown',
  },
  'locale.used': {
    status: 400,
    name: 'ApplicationError',
    message: 'locale is already used',
    label: 'error.locale.used',
  },

  // Sign-in (contract §2)
  'auth.invalid-credentials': {
    status: 400,
    message: 'Invalid identifier or password',
    label: 'error.400.invalid',
  },
  'auth.credential-required': { status: 400, message: '{field} is a required field', label: 'validation.required' },
  'auth.registration-off': {
    status: 400,
    name: 'ApplicationError',
    message: 'Register action is currently disabled',
    label: 'auth.register.off',
  },
  'auth.taken': {
    status: 400,
    name: 'ApplicationError',
    message: 'Email or Username are already taken',
    label: 'auth.register.taken',
  },
  'auth.code': { status: 400, message: 'Incorrect code provided', label: 'auth.reset.expired' },
  'auth.passwords-differ': { status: 400, message: 'Passwords do not match', label: 'validation.passwordMismatch' },
  'auth.current-password': {
    status: 400,
    message: 'The provided current password is invalid',
    label: 'auth.currentPassword.wrong',
  },
  'auth.same-password': {
    status: 400,
    message: 'Your new password must be different than your current password',
    label: 'auth.samePassword',
  },
  'auth.two-step-needed': {
    status: 422,
    message: 'A code of the authenticator app is needed',
    label: 'auth.twoStep.needed',
  },
  'auth.two-step-code': { status: 400, message: 'Incorrect code provided', label: 'auth.twoStep.wrongCode' },
  'auth.two-step-on': { status: 409, message: 'Two-step sign-in is on already', label: 'auth.twoStep.isOn' },
  'auth.two-step-off': { status: 409, message: 'Two-step sign-in is not set up', label: 'auth.twoStep.isOff' },
  'auth.two-step-required': {
    status: 403,
    message: 'Your role signs in with a second step: set it up first',
    label: 'auth.twoStep.required',
  },
  'auth.unauthorized': { status: 401, message: 'Missing or invalid credentials', label: 'error.401.message' },
  'auth.throttled': { status: 429, message: 'Too many requests, please try again later.', label: 'error.429.message' },

  // Rights and existence
  'access.denied': { status: 403, message: 'Forbidden', label: 'error.403.message' },
  'access.view-as': {
    status: 403,
    message: 'You may look at the panel only as a role below your own',
    label: 'error.access.viewAs',
  },
  'access.viewing': {
    status: 403,
    message: 'Nothing can be changed while the panel is seen as another role',
    label: 'error.access.viewing',
  },
  'chat.not-your-voice': {
    status: 403,
    message: 'you cannot write on behalf of another consultant',
    label: 'validation.otherConsultant',
  },
  'route.not-found': { status: 404, message: 'Not Found', label: 'error.404.message' },
  'record.not-found': { status: 404, message: 'Not Found', label: 'error.404.message' },
  'user.email-taken': {
    status: 400,
    name: 'ApplicationError',
    message: 'Email already taken',
    label: 'users.emailTaken',
  },
  'user.username-taken': {
    status: 400,
    name: 'ApplicationError',
    message: 'Username already taken',
    label: 'users.usernameTaken',
  },
  'user.rank': {
    status: 403,
    message: 'You may only manage accounts below your own role',
    label: 'error.user.rank',
  },
  'user.role-not-granted': { status: 403, message: 'You may not grant this role', label: 'error.user.role' },
  'user.own-role': { status: 403, message: 'Nobody changes their own role', label: 'error.user.ownRole' },
  'user.own-access': {
    status: 403,
    message: 'Nobody blocks or deletes their own account',
    label: 'error.user.ownAccess',
  },
  'user.own-password': {
    status: 422,
    message: 'Your own password is changed with the current one',
    label: 'error.user.ownPassword',
  },
  'user.last-owner': { status: 422, message: 'The last owner stays', label: 'error.user.lastOwner' },
  'user.open-work': {
    status: 409,
    message: 'Consultations and rooms are still given to this person',
    label: 'error.user.openWork',
  },
  'user.not-invited': {
    status: 409,
    message: 'This account was not invited, or has signed in already',
    label: 'error.user.notInvited',
  },
  'user.blocked': { status: 409, message: 'This account is blocked', label: 'error.user.blocked' },
  'user.not-found': { status: 404, message: 'User not found', label: 'error.404.message' },

  // Files (contract §10)
  'upload.empty': { status: 400, message: 'Files are empty', label: 'validation.image' },
  'upload.type': {
    status: 400,
    message: 'Only JPEG, PNG, WebP and GIF images are accepted',
    label: 'validation.imageOnly',
  },
  'upload.broken': { status: 400, message: 'The image could not be read', label: 'validation.imageBroken' },
  'upload.too-slow': { status: 400, message: 'The image takes too long to read', label: 'validation.imageBroken' },
  'upload.dimensions': {
    status: 400,
    message: 'The image is too large: at most {megapixels} megapixels, {side} pixels a side and {frames} frames',
    label: 'validation.imageTooLarge',
  },
  'upload.too-many-files': { status: 400, message: 'At most {count} files at once', label: 'validation.tooManyFiles' },
  'upload.target': { status: 400, message: '{ref} has no picture field {field}', label: 'error.400.generic' },
  'upload.file-too-large': {
    status: 413,
    message: 'The file is too large: the limit is {size}',
    label: 'validation.fileTooLarge',
  },
  'upload.quota': {
    status: 413,
    message: 'The space for your files is used up: at most {count} files and {size}',
    label: 'error.upload.quota',
  },
  'chat.too-many-sockets': { status: 429, message: 'Too many connections at once', label: 'error.429.message' },
  'upload.too-many-at-once': { status: 429, message: 'Too many uploads at once', label: 'error.429.message' },
  'file.not-found': { status: 404, message: 'file.notFound', label: 'error.404.message' },
  'file.range': { status: 416, message: 'The file has no such part', label: 'error.400.generic' },
  'file.in-use': { status: 409, message: 'The file is used by {count} records', label: 'error.inUse' },

  // Rules and conflicts
  'record.stale': { status: 409, message: 'The record was changed by someone else', label: 'error.409.message' },
  'record.in-use': { status: 409, message: 'The record is used by {count} of {resource}', label: 'error.inUse' },
  'record.fixed': { status: 422, message: 'These records are fixed', label: 'error.422.message' },
  'rule.whole': {
    status: 422,
    message: '{field} does not belong to the selected {whole}',
    label: 'validation.partOfWhole',
  },
  'rule.ascending': { status: 422, message: '{field} must not be below {than}', label: 'validation.ascending' },
  'state.step': { status: 422, message: 'status cannot change from {from} to {to}', label: 'error.state.step' },
  'state.reason': { status: 422, message: 'please give a reason', label: 'validation.reason' },
  'desk.no-consultant': { status: 422, message: '{field} must be a consultant', label: 'validation.consultant' },
  'desk.taken': { status: 409, message: '{name} has this already', label: 'error.desk.taken' },
  'chat.text-missing': { status: 422, message: 'please write a message', label: 'validation.message' },
  'chat.edit-late': { status: 422, message: 'a message can be changed for 15 minutes', label: 'error.chat.editLate' },
  'chat.duplicate': {
    status: 422,
    message: 'this client_id was used for another message',
    label: 'error.422.message',
  },
  'course.not-ready': {
    status: 422,
    message: 'the course is not ready to be published: {count} things are missing',
    label: 'error.course.notReady',
  },
  'course.no-title': { status: 422, message: 'a title is missing in {locale}', label: 'error.course.noTitle' },
  'course.no-lesson': {
    status: 422,
    message: 'a visible lesson with text or video is missing in {locale}',
    label: 'error.course.noLesson',
  },
  'course.outline': {
    status: 422,
    message: '{field} must name each of the course once',
    label: 'error.course.outline',
  },
  'lesson.several-parts': {
    status: 422,
    message: 'a single lesson has one part at most',
    label: 'error.lesson.severalParts',
  },
  'price.future': { status: 422, message: 'prices are not entered for a day to come', label: 'error.price.future' },
  'price.unit': {
    status: 422,
    message: 'the unit is of another kind than that of the product',
    label: 'error.price.unit',
  },
  'price.too-high': { status: 422, message: 'the price of one base unit is too high', label: 'error.price.tooHigh' },
  'price.unconfirmed': {
    status: 422,
    message: '{count} prices need to be confirmed first',
    label: 'error.price.unconfirmed',
  },
  'price.second-person': {
    status: 422,
    message: 'somebody else has to publish {count} of these prices',
    label: 'error.price.secondPerson',
  },
  // Reports (product/statistics.md §1, §9)
  'report.date': { status: 422, message: '{key} must be a day like 2026-03-01', label: 'error.report.date' },
  'report.order': { status: 422, message: 'the last day must not be before the first', label: 'error.report.order' },
  'report.range': {
    status: 422,
    message: 'a report covers at most {years} years',
    label: 'error.report.range',
  },
  'report.choice': { status: 422, message: '{key} must be one of: {values}', label: 'error.report.choice' },
  'report.filter': {
    status: 422,
    message: 'this report has no filter {key} of this value',
    label: 'error.report.filter',
  },
  'file.not-xlsx': { status: 422, message: 'please choose an xlsx file', label: 'error.import.notXlsx' },
  'file.macros': { status: 422, message: 'files with macros are not accepted', label: 'error.import.macros' },
  'export.too-many': {
    status: 422,
    message: 'A file holds {max} rows, and these are {count}',
    label: 'error.export.tooMany',
  },
  // Work on many records
  'bulk.count-differs': {
    status: 409,
    message: 'The list has {actual} records now, not {expected}',
    label: 'error.bulk.countDiffers',
  },
  'bulk.changed-since': {
    status: 409,
    message: 'It was changed by someone else since',
    label: 'error.bulk.changedSince',
  },
  'bulk.no-undo': { status: 409, message: 'This cannot be taken back', label: 'error.bulk.noUndo' },
  'bulk.stopped': { status: 409, message: 'The job was stopped', label: 'error.bulk.stopped' },
  'bulk.too-many': { status: 422, message: 'At most {max} records at once', label: 'error.bulk.tooMany' },
  'bulk.busy': { status: 429, message: 'Too many jobs at once, please wait for one to end', label: 'error.bulk.busy' },
  'request.unprocessable': { status: 422, message: '{message}', label: 'error.422.message' },
  'record.taken': {
    status: 409,
    message: 'It cannot be restored: {field} is used by another record now',
    label: 'error.restore.taken',
  },
  'record.incomplete': {
    status: 409,
    message: 'It cannot be restored: {field} does not exist any more',
    label: 'error.restore.incomplete',
  },
  'history.no-record': {
    status: 422,
    message: 'There was no record at that time',
    label: 'error.history.noRecord',
  },
  'request.key-reused': {
    status: 422,
    message: 'This Idempotency-Key was used for another request',
    label: 'error.422.message',
  },

  // The server
  'server.internal': { status: 500, message: 'internal server error', label: 'error.500.message' },
  'server.unavailable': {
    status: 503,
    message: 'The service is not available right now, please try again',
    label: 'error.500.message',
  },
  'server.busy': { status: 503, message: 'The service is busy, please try again', label: 'error.429.message' },
  'server.disk-full': { status: 507, message: 'There is no space left to store this', label: 'error.500.message' },
} as const satisfies Record<string, CatalogueEntry>

export type ErrorCode = keyof typeof catalogue
export type FaultParams = Readonly<Record<string, string | number>>

/** One wrong field: where, which entry of the catalogue, and the figures its words need. */
export interface Issue {
  path: readonly (string | number)[]
  code: ErrorCode
  params?: FaultParams
}

/** One entry of `details.errors` on the wire (contract §1). */
export interface WireIssue {
  path: (string | number)[]
  message: string
  name: string
  code: ErrorCode
  params: FaultParams
}

/** The error body of every answer that is not 2xx (contract §1). */
export interface ErrorBody {
  data: null
  error: {
    status: number
    name: string
    message: string
    code?: ErrorCode
    details: Record<string, unknown> & { errors?: WireIssue[]; params?: FaultParams }
  }
}

/** English text of a code, its placeholders filled. */
export function messageOf(code: ErrorCode, params: FaultParams = {}): string {
  return catalogue[code].message.replace(/\{(\w+)\}/g, (whole, key: string) => String(params[key] ?? whole))
}

/** The catalogue's entry with the rarer keys filled in. */
function entryOf(code: ErrorCode): CatalogueEntry {
  return catalogue[code]
}

/** Words for a code in the four catalogues: the key of the label, or undefined for a code of a newer server. */
export function labelOfCode(code: string): string | undefined {
  return Object.hasOwn(catalogue, code) ? catalogue[code as ErrorCode].label : undefined
}

/** A refusal on its way to `http/errors.ts`, the one place that writes it as a body. */
export class Fault extends Error {
  readonly code: ErrorCode
  readonly status: ErrorStatus
  readonly params: FaultParams
  readonly issues: readonly Issue[]
  readonly details: Readonly<Record<string, unknown>>
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, options: FaultOptions = {}) {
    super(messageOf(code, options.params))
    this.name = 'Fault'
    this.code = code
    this.status = entryOf(code).status
    this.params = options.params ?? {}
    this.issues = options.issues ?? []
    this.details = options.details ?? {}
    this.retryAfter = options.retryAfter
  }
}

export interface FaultOptions {
  params?: FaultParams
  issues?: readonly Issue[]
  details?: Record<string, unknown>
  /** Seconds for the `Retry-After` header. */
  retryAfter?: number
}

/** Builds a refusal from the catalogue, to be thrown. */
export function fault(code: ErrorCode, options?: FaultOptions): Fault {
  return new Fault(code, options)
}

/**
 * Builds the refusal for wrong fields, all of them at once: one issue gives its own text,
 * several give "N errors occurred" (contract §1).
 */
export function validationFault(issues: readonly Issue[]): Fault {
  const [first] = issues
  if (issues.length === 1 && first)
    return new Fault(first.code, { ...(first.params && { params: first.params }), issues })
  return new Fault('validation.several', { params: { count: issues.length }, issues })
}

/**
 * Builds the refusal for wrong values on the routes that answer them with 422 (chat, prices, imports, actions), in the
 * words of `validationFault`.
 */
export function unprocessable(issues: readonly Issue[]): Fault {
  const { message } = validationFault(issues)
  return new Fault('request.unprocessable', { params: { message }, issues })
}

/** The wire body of a refusal (contract §1). */
export function toErrorBody(refusal: Fault): ErrorBody {
  const { code, status, params, issues, details } = refusal
  // Clients word a refusal by its code in the reader's language, and need what the words speak of, as far as the
  // details do not say it already.
  const unsaid = Object.entries(params).filter(([name]) => !(name in details))
  const spoken = issues.length === 0 && unsaid.length > 0
  const errors = issues.map((issue): WireIssue => ({
    path: [...issue.path],
    message: messageOf(issue.code, issue.params),
    name: entryOf(issue.code).name ?? nameOfStatus[entryOf(issue.code).status],
    code: issue.code,
    params: issue.params ?? {},
  }))
  return {
    data: null,
    error: {
      status,
      name: entryOf(code).name ?? nameOfStatus[status],
      message: messageOf(code, params),
      code,
      details: {
        ...details,
        ...(spoken && { params: Object.fromEntries(unsaid) }),
        ...(errors.length > 0 && { errors }),
      },
    },
  }
}
