/** Limits of API calls about files, and the kinds of files that are stored. */

/** Maximum number of files in one upload (contract §10). */
export const maxFiles = 10

/** Maximum number of files in one call that moves or deletes files. */
export const maxFilesTogether = 100

/** Hours after which an unfinished resumable upload is removed. */
export const pendingHours = 24

/** Extensions of pictures, which are decoded and encoded again. */
const pictureExtensions = ['jpg', 'png', 'webp', 'gif'] as const
const videoExtensions = ['mp4', 'webm'] as const

/** Extensions of files that a resumable upload may have, by its purpose (contract §10). */
export const extensionsOf = {
  lesson_video: videoExtensions,
  /** Purpose of an upload with the same video in low quality, for weak connections. */
  lesson_video_small: videoExtensions,
  subtitles: ['vtt'],
  document: ['pdf', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'txt', 'csv'],
} as const

export type UploadPurpose = keyof typeof extensionsOf

/** Purposes of resumable uploads. */
export const uploadPurposes = Object.keys(extensionsOf) as readonly UploadPurpose[]

/**
 * Tells whether every user may upload for a purpose, as every user may upload pictures; staff may for all.
 */
export const isOpenPurpose = (purpose: UploadPurpose): boolean => purpose === 'document'

/** Tells whether the files of a purpose are videos. */
export const isVideoPurpose = (purpose: UploadPurpose): boolean => extensionsOf[purpose] === videoExtensions

/** Extensions of the files that a message of a chat may carry: pictures and documents (contract §11). */
export const attachableExtensions: readonly string[] = [...pictureExtensions, ...extensionsOf.document]

/** Extensions of all stored files, for patterns of their names. */
export const storedExtensions: readonly string[] = [
  ...pictureExtensions,
  ...new Set(uploadPurposes.flatMap((purpose): readonly string[] => extensionsOf[purpose])),
]

/** Pattern of the name of a stored file without its size: 128 random bits and a known extension. */
export const storedFilePattern = `([0-9a-f]{32})[.](?:${storedExtensions.join('|')})`
