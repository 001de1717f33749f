/** Limits of uploads that are no settings (checklist §4), and those that are. */

/** Calls of one person that are read at once (checklist §3). */
export const maxUploadsOfUser = 10

/** What may be decoded. */
export const imageLimits = {
  /** Pixels of all frames together. */
  pixels: 50_000_000,
  side: 12_000,
  frames: 200,
  /** Seconds of decoding. */
  seconds: 10,
}

export interface UploadSettings {
  /** Most bytes of one file. */
  fileBytes: number
  /** Most bytes and files that one person may store. */
  quotaBytes: number
  quotaFiles: number
  /** Bytes of the disk that uploads leave free. */
  reserveBytes: number
}

/** Bytes in the form people read: `10 MB`. */
export const sizeText = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`
