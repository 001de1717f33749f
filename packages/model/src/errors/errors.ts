/**
 * The error catalogue: every error that the product can report, with its status, its name on the wire and its
 * message key.
 */

/** Names of the error body (contract §1), by status. */
export const nameOfStatus = {
  400: 'ValidationError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  409: 'ConflictError',
  412: 'PreconditionFailedError',
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

export interface CatalogueEntry {
  status: ErrorStatus
  /** Name of the error on the wire, only where it differs from the name of the status. */
  name?: 'ApplicationError'
  /** Key of the error message in the four catalogues. */
  label: string
}

/**
 * Status and message key of each error code; the panel shows the message in the user's language. The English
 * texts of the API are in `error-texts.ts`.
 */
export const catalogue = {
  // Errors of one field of a body (contract §4)
  'validation.required': { status: 400, label: 'validation.required' },
  'validation.null': { status: 400, label: 'validation.required' },
  'validation.name': { status: 400, label: 'validation.name' },
  'validation.title': { status: 400, label: 'validation.title' },
  'validation.question': { status: 400, label: 'validation.question' },
  'validation.answer': { status: 400, label: 'validation.answer' },
  'validation.address': { status: 400, label: 'validation.address' },
  'validation.email': { status: 400, label: 'validation.email' },
  'validation.emailInvalid': { status: 400, label: 'validation.emailInvalid' },
  'validation.emailLength': { status: 400, label: 'validation.emailLength' },
  'validation.password': { status: 400, label: 'validation.password' },
  'validation.passwordLength': { status: 400, label: 'validation.passwordLength' },
  'validation.passwordCommon': { status: 400, label: 'validation.passwordCommon' },
  'validation.passwordPersonal': { status: 400, label: 'validation.passwordPersonal' },
  'validation.passwordMismatch': { status: 400, label: 'validation.passwordMismatch' },
  'validation.region': { status: 400, label: 'validation.region' },
  'validation.district': { status: 400, label: 'validation.district' },
  'validation.directions': { status: 400, label: 'validation.directions' },
  'validation.text': { status: 400, label: 'validation.text' },
  'validation.control': { status: 400, label: 'validation.control' },
  'validation.number': { status: 400, label: 'validation.number' },
  'validation.integer': { status: 400, label: 'validation.integer' },
  'validation.boolean': { status: 400, label: 'validation.boolean' },
  'validation.date': { status: 400, label: 'validation.date' },
  'validation.dateTime': { status: 400, label: 'validation.dateTime' },
  'validation.choice': { status: 400, label: 'validation.choice' },
  'validation.above': { status: 400, label: 'validation.above' },
  'validation.min': { status: 400, label: 'validation.min' },
  'validation.max': { status: 400, label: 'validation.max' },
  'validation.minLength': { status: 400, label: 'validation.minLength' },
  'validation.maxLength': { status: 400, label: 'validation.maxLength' },
  'validation.url': { status: 400, label: 'validation.url' },
  'validation.time': { status: 400, label: 'validation.time' },
  'validation.workingHours': { status: 400, label: 'validation.workingHours' },
  'validation.slug': { status: 400, label: 'validation.slug' },
  'validation.colour': { status: 400, label: 'validation.colour' },
  'validation.json': { status: 400, label: 'validation.json' },
  'validation.translations': { status: 400, label: 'validation.translations' },
  'validation.relation': { status: 400, label: 'validation.relation' },
  'validation.relationMissing': { status: 400, label: 'validation.relationMissing' },
  'validation.maxItems': { status: 400, label: 'validation.maxItems' },
  'validation.cycle': { status: 400, label: 'validation.cycle' },
  'validation.filePrivate': { status: 400, label: 'validation.filePrivate' },
  'validation.fileShown': { status: 400, label: 'validation.fileShown' },
  'validation.unique': { status: 400, label: 'validation.unique' },
  'validation.several': { status: 400, label: 'validation.fixErrors' },

  // Errors of the request itself
  'request.data-missing': { status: 400, label: 'error.400.generic' },
  'request.json': { status: 400, label: 'error.400.generic' },
  'request.body': { status: 400, label: 'error.400.generic' },
  'request.forbidden-key': { status: 400, label: 'error.400.generic' },
  'request.text': { status: 400, label: 'error.400.generic' },
  'request.too-deep': { status: 400, label: 'error.400.generic' },
  'request.too-many-keys': { status: 400, label: 'error.400.generic' },
  'request.too-large': { status: 413, label: 'error.413.title' },
  'request.media-type': { status: 415, label: 'error.400.generic' },
  'request.header': { status: 400, label: 'error.400.generic' },
  'request.too-many-writes': { status: 429, label: 'error.writes.spent' },

  // Errors of the query (contract §5, §6)
  'query.parameter': { status: 400, label: 'error.400.generic' },
  'query.operator': { status: 400, label: 'error.400.generic' },
  'query.value': { status: 400, label: 'error.400.generic' },
  'query.direction': { status: 400, label: 'error.400.generic' },
  'query.pagination': { status: 400, label: 'error.400.generic' },
  'query.pagination-mixed': { status: 400, label: 'error.400.generic' },
  'query.too-large': { status: 400, label: 'error.400.generic' },
  'query.list-too-long': { status: 400, label: 'error.query.listTooLong' },
  'query.answer-too-large': { status: 400, label: 'error.query.answerTooLarge' },

  // Errors of languages (contract §8)
  'locale.unknown': { status: 400, name: 'ApplicationError', label: 'error.locale.unknown' },
  'locale.missing': { status: 400, name: 'ApplicationError', label: 'error.locale.unknown' },
  'locale.invalid': { status: 400, name: 'ApplicationError', label: 'error.locale.unknown' },
  'locale.used': { status: 400, name: 'ApplicationError', label: 'error.locale.used' },

  // Errors of sign-in (contract §2)
  'auth.invalid-credentials': { status: 400, label: 'error.400.invalid' },
  'auth.credential-required': { status: 400, label: 'validation.required' },
  'auth.registration-off': { status: 400, name: 'ApplicationError', label: 'auth.register.off' },
  'auth.taken': { status: 400, name: 'ApplicationError', label: 'auth.register.taken' },
  'auth.code': { status: 400, label: 'auth.reset.expired' },
  'auth.passwords-differ': { status: 400, label: 'validation.passwordMismatch' },
  'auth.current-password': { status: 400, label: 'auth.currentPassword.wrong' },
  'auth.same-password': { status: 400, label: 'auth.samePassword' },
  'auth.two-step-needed': { status: 422, label: 'auth.twoStep.needed' },
  'auth.two-step-code': { status: 400, label: 'auth.twoStep.wrongCode' },
  'auth.two-step-on': { status: 409, label: 'auth.twoStep.isOn' },
  'auth.two-step-off': { status: 409, label: 'auth.twoStep.isOff' },
  'auth.two-step-required': { status: 403, label: 'auth.twoStep.required' },
  'auth.email-confirmed': { status: 409, label: 'auth.email.isConfirmed' },
  'auth.email-unconfirmed': { status: 409, label: 'auth.email.isUnconfirmed' },
  'auth.two-step-unreadable': { status: 409, label: 'auth.twoStep.unreadable' },
  'auth.unauthorized': { status: 401, label: 'error.401.message' },
  'auth.throttled': { status: 429, label: 'error.429.message' },

  // Errors of rights and missing records
  'access.denied': { status: 403, label: 'error.403.message' },
  'access.view-as': { status: 403, label: 'error.access.viewAs' },
  'access.viewing': { status: 403, label: 'error.access.viewing' },
  'chat.not-your-voice': { status: 403, label: 'validation.otherConsultant' },
  'chat.customer-gone': { status: 403, label: 'error.chat.customerGone' },
  'route.not-found': { status: 404, label: 'error.404.message' },
  'record.not-found': { status: 404, label: 'error.404.message' },
  'user.email-taken': { status: 400, name: 'ApplicationError', label: 'users.emailTaken' },
  'user.username-taken': { status: 400, name: 'ApplicationError', label: 'users.usernameTaken' },
  'user.rank': { status: 403, label: 'error.user.rank' },
  'view.rank': { status: 403, label: 'error.view.rank' },
  'user.role-not-granted': { status: 403, label: 'error.user.role' },
  'user.own-role': { status: 403, label: 'error.user.ownRole' },
  'user.own-access': { status: 403, label: 'error.user.ownAccess' },
  'user.own-password': { status: 422, label: 'error.user.ownPassword' },
  'user.own-email': { status: 422, label: 'error.user.ownEmail' },
  'user.last-owner': { status: 422, label: 'error.user.lastOwner' },
  'user.open-work': { status: 409, label: 'error.user.openWork' },
  'user.not-invited': { status: 409, label: 'error.user.notInvited' },
  'user.blocked': { status: 409, label: 'error.user.blocked' },
  'user.not-found': { status: 404, label: 'error.404.message' },

  // Errors of files (contract §10)
  'upload.empty': { status: 400, label: 'validation.image' },
  'upload.type': { status: 400, label: 'validation.imageOnly' },
  'upload.broken': { status: 400, label: 'validation.imageBroken' },
  'upload.too-slow': { status: 400, label: 'validation.imageBroken' },
  'upload.dimensions': { status: 400, label: 'validation.imageTooLarge' },
  'upload.too-many-files': { status: 400, label: 'validation.tooManyFiles' },
  'upload.target': { status: 400, label: 'error.400.generic' },
  'upload.file-too-large': { status: 413, label: 'validation.fileTooLarge' },
  'upload.quota': { status: 413, label: 'error.upload.quota' },
  'chat.too-many-sockets': { status: 429, label: 'error.429.message' },
  'chat.too-many-rooms': { status: 429, label: 'error.429.message' },
  'upload.too-many-at-once': { status: 429, label: 'error.429.message' },
  'file.not-found': { status: 404, label: 'error.404.message' },
  'file.range': { status: 416, label: 'error.400.generic' },
  'upload.replace-used': { status: 409, label: 'error.upload.replaceUsed' },
  'upload.protocol': { status: 412, label: 'error.400.generic' },
  'upload.length': { status: 422, label: 'error.400.generic' },
  'upload.metadata': { status: 422, label: 'error.400.generic' },
  'upload.purpose': { status: 422, label: 'error.400.generic' },
  'upload.offset': { status: 409, label: 'error.upload.offset' },
  'upload.in-use': { status: 409, label: 'error.upload.inUse' },
  'upload.name': { status: 422, label: 'error.upload.name' },
  'upload.content': { status: 422, label: 'error.upload.content' },
  'upload.macros': { status: 422, label: 'error.upload.macros' },
  'upload.codec': { status: 422, label: 'error.upload.codec' },
  'upload.subtitles': { status: 422, label: 'error.upload.subtitles' },
  'file.in-use': { status: 409, label: 'error.inUse' },

  // Errors of rules and conflicts
  'record.stale': { status: 409, label: 'error.409.message' },
  'record.in-use': { status: 409, label: 'error.inUse' },
  'record.fixed': { status: 422, label: 'error.422.message' },
  'rule.whole': { status: 422, label: 'validation.partOfWhole' },
  'rule.ascending': { status: 422, label: 'validation.ascending' },
  'state.step': { status: 422, label: 'error.state.step' },
  'state.reason': { status: 422, label: 'validation.reason' },
  'moderation.claimed': { status: 409, label: 'error.moderation.claimed' },
  'moderation.reason': { status: 422, label: 'error.moderation.reason' },
  'moderation.no-undo': { status: 409, label: 'error.moderation.noUndo' },
  'moderation.reported': { status: 409, label: 'error.moderation.reported' },
  'moderation.settled': { status: 409, label: 'error.moderation.settled' },
  'desk.no-consultant': { status: 422, label: 'validation.consultant' },
  'routing.too-many': { status: 422, label: 'error.routing.tooMany' },
  'routing.person-missing': { status: 422, label: 'error.routing.personMissing' },
  'desk.taken': { status: 409, label: 'error.desk.taken' },
  'chat.text-missing': { status: 422, label: 'validation.message' },
  'chat.edit-late': { status: 422, label: 'error.chat.editLate' },
  'chat.duplicate': { status: 422, label: 'error.422.message' },
  'rating.no-answer': { status: 422, label: 'error.rating.noAnswer' },
  'rating.done': { status: 409, label: 'error.rating.done' },
  'convert.no-question': { status: 422, label: 'error.convert.noQuestion' },
  'convert.no-answer': { status: 422, label: 'error.convert.noAnswer' },
  'course.not-ready': { status: 422, label: 'error.course.notReady' },
  'course.no-title': { status: 422, label: 'error.course.noTitle' },
  'course.no-lesson': { status: 422, label: 'error.course.noLesson' },
  'course.no-language': { status: 422, label: 'error.course.noLanguage' },
  'course.unpublished': { status: 422, label: 'error.course.unpublished' },
  'course.discard': { status: 409, label: 'error.course.discard' },
  'course.outline': { status: 422, label: 'error.course.outline' },
  'lesson.order': { status: 409, label: 'error.lesson.order' },
  'lesson.several-parts': { status: 422, label: 'error.lesson.severalParts' },
  'lesson.file-missing': { status: 422, label: 'error.lesson.fileMissing' },
  'lesson.upload-running': { status: 422, label: 'error.lesson.uploadRunning' },
  'lesson.file': { status: 422, label: 'error.lesson.file' },
  'price.future': { status: 422, label: 'error.price.future' },
  'price.unit': { status: 422, label: 'error.price.unit' },
  'price.too-high': { status: 422, label: 'error.price.tooHigh' },
  'price.unconfirmed': { status: 422, label: 'error.price.unconfirmed' },
  'price.slip-more': { status: 422, label: 'error.price.slipMore' },
  'price.slip-less': { status: 422, label: 'error.price.slipLess' },
  'price.slip-unit': { status: 422, label: 'error.price.slipUnit' },
  'price.far': { status: 422, label: 'error.price.far' },
  'price.neighbours': { status: 422, label: 'error.price.neighbours' },
  'price.unchanged': { status: 422, label: 'error.price.unchanged' },
  'price.span': { status: 422, label: 'error.price.span' },
  'price.published': { status: 422, label: 'error.price.published' },
  'price.incomplete': { status: 422, label: 'error.price.incomplete' },
  'price.second-person': { status: 422, label: 'error.price.secondPerson' },
  // Errors of reports (statistics §1, §9)
  'report.date': { status: 422, label: 'error.report.date' },
  'report.order': { status: 422, label: 'error.report.order' },
  'report.range': { status: 422, label: 'error.report.range' },
  'report.choice': { status: 422, label: 'error.report.choice' },
  'report.filter': { status: 422, label: 'error.report.filter' },
  'report.metric': { status: 422, label: 'error.report.metric' },
  'report.expiry': { status: 422, label: 'error.report.expiry' },
  'report.sending-day': { status: 422, label: 'error.report.sendingDay' },
  'report.recipients': { status: 422, label: 'error.report.recipients' },
  'report.schedules': { status: 422, label: 'error.report.schedules' },
  'report.rank': { status: 403, label: 'error.report.rank' },
  'report.too-many': { status: 422, label: 'error.report.tooMany' },
  'file.not-xlsx': { status: 422, label: 'error.import.notXlsx' },
  'file.macros': { status: 422, label: 'error.import.macros' },
  // Errors of imports from sheets (market §5)
  'import.state': { status: 409, label: 'error.import.state' },
  'import.changed': { status: 409, label: 'error.import.changed' },
  'import.touched': { status: 409, label: 'error.import.touched' },
  'import.open': { status: 422, label: 'error.import.open' },
  'import.faulty': { status: 422, label: 'error.import.faulty' },
  'import.nothing': { status: 422, label: 'error.import.nothing' },
  'import.warnings': { status: 422, label: 'error.import.warnings' },
  'import.empty': { status: 422, label: 'error.import.empty' },
  'import.rows': { status: 422, label: 'error.import.rows' },
  'import.size': { status: 422, label: 'error.import.size' },
  'import.slow': { status: 422, label: 'error.import.slow' },
  'import.broken': { status: 422, label: 'error.import.broken' },
  'import.sheet': { status: 422, label: 'error.import.sheet' },
  'import.unknown-name': { status: 422, label: 'error.import.unknownName' },
  'import.several-names': { status: 422, label: 'error.import.severalNames' },
  'import.unclear-number': { status: 422, label: 'error.import.unclearNumber' },
  'import.letter': { status: 422, label: 'error.import.letter' },
  'import.unclear-date': { status: 422, label: 'error.import.unclearDate' },
  'import.merged': { status: 422, label: 'error.import.merged' },
  'import.cell': { status: 422, label: 'error.import.cell' },
  'import.formula': { status: 422, label: 'error.import.formula' },
  'import.twice': { status: 422, label: 'error.import.twice' },
  'import.no-key': { status: 422, label: 'error.import.noKey' },
  'export.too-many': { status: 422, label: 'error.export.tooMany' },
  // Errors of files of translations
  'memory.file': { status: 422, label: 'error.memory.file' },
  'memory.declarations': { status: 422, label: 'error.memory.declarations' },
  'memory.format': { status: 422, label: 'error.memory.format' },
  'memory.size': { status: 422, label: 'error.memory.size' },
  'memory.empty': { status: 422, label: 'error.memory.empty' },
  'memory.no-work': { status: 422, label: 'error.memory.noWork' },
  // Errors of bulk edits
  'bulk.count-differs': { status: 409, label: 'error.bulk.countDiffers' },
  'bulk.changed-since': { status: 409, label: 'error.bulk.changedSince' },
  'bulk.no-undo': { status: 409, label: 'error.bulk.noUndo' },
  'bulk.stopped': { status: 409, label: 'error.bulk.stopped' },
  'bulk.too-many': { status: 422, label: 'error.bulk.tooMany' },
  'bulk.script-not-all': { status: 422, label: 'error.bulk.scriptNotAll' },
  'bulk.busy': { status: 429, label: 'error.bulk.busy' },
  // Errors of backups
  'organisation.locked': { status: 409, label: 'error.organisation.locked' },
  'backup.busy': { status: 409, label: 'error.backup.busy' },
  'backup.incomplete': { status: 409, label: 'error.backup.incomplete' },
  'mail.no-server': { status: 409, label: 'error.mail.noServer' },
  'request.unprocessable': { status: 422, label: 'error.422.message' },
  'record.taken': { status: 409, label: 'error.restore.taken' },
  'record.incomplete': { status: 409, label: 'error.restore.incomplete' },
  'history.no-record': { status: 422, label: 'error.history.noRecord' },
  'request.key-reused': { status: 422, label: 'error.422.message' },

  // Errors of the server
  'server.internal': { status: 500, label: 'error.500.message' },
  'server.unavailable': { status: 503, label: 'error.500.message' },
  'server.busy': { status: 503, label: 'error.429.message' },
  'server.disk-full': { status: 507, label: 'error.500.message' },
} as const satisfies Record<string, CatalogueEntry>

export type ErrorCode = keyof typeof catalogue
export type FaultParams = Readonly<Record<string, string | number>>

/** One invalid field: its path, the error code, and the parameters of the message. */
export interface Issue {
  path: readonly (string | number)[]
  code: ErrorCode
  params?: FaultParams
}

/**
 * Returns the message key of an error code, or undefined for a code of a newer server.
 *
 * @example
 * labelOfCode('access.denied') // 'error.403.message'
 */
export function labelOfCode(code: string): string | undefined {
  return Object.hasOwn(catalogue, code) ? catalogue[code as ErrorCode].label : undefined
}
