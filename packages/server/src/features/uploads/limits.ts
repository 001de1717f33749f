/** Defines the limits of uploads (checklist §4): fixed ones and settings. */

/** Maximum number of concurrent uploads of one user (checklist §3). */
export const maxUploadsOfUser = 10

/** Limits of a picture that is decoded. */
export const imageLimits = {
  /** Maximum pixels of all frames of a picture together. */
  pixels: 50_000_000,
  maxSideLength: 12_000,
  frames: 200,
  /** Maximum seconds for the decoding of a picture. */
  seconds: 10,
}

export interface UploadSettings {
  /** Maximum bytes of one uploaded file. */
  fileBytes: number
  /** Maximum bytes of one resumable upload, by its purpose. */
  videoBytes: number
  documentBytes: number
  subtitlesBytes: number
  /** Maximum bytes and files of one user's uploads; videos are counted apart. */
  quotaBytes: number
  quotaFiles: number
  videoQuotaBytes: number
  /** Bytes of free disk space that uploads must leave. */
  reserveBytes: number
}

/** Formats bytes for people: `10 MB`. */
export const sizeText = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`
