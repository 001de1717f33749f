/** Feature of uploads: files, their records, storage and addresses. */
import type { Feature, FeatureContext } from '../../domain/feature.ts'
import { LikenessFill } from './fill-likeness.ts'
import { receiveFilesWith } from './storage/multipart-write.ts'
import { openStorage } from './storage/open-storage.ts'
import { openUploads } from './open-uploads.ts'
import { openPieces } from './resumable/open-pieces.ts'
import { registerUploads } from './routes.ts'
import { registerFiles } from './serve.ts'
import { SignedAddresses } from './signed-address.ts'
import { UploadSweep } from './sweep.ts'

/**
 * Creates the feature of uploads, with one store of files for its routes and for the writes of all records.
 */
export function uploads(): Feature {
  let openedUploads: ReturnType<typeof openFeatureUploads> | undefined
  const openFeatureUploads = ({ database, settings, log }: FeatureContext) => {
    const storage = openStorage(settings)
    return {
      storage,
      uploads: openUploads(database, settings, (error, message) => log.error({ err: error }, message), storage),
    }
  }
  const openUploadsOnce = (context: FeatureContext) => (openedUploads ??= openFeatureUploads(context))

  return {
    name: 'uploads',
    receiveFiles: (context) => receiveFilesWith(openUploadsOnce(context).uploads),
    registerRoutes(app, context) {
      const { storage, uploads: store } = openUploadsOnce(context)
      const addresses = new SignedAddresses(context.signingKeys)
      const { dataDir, uploads: limits } = context.settings
      const pieceStore = openPieces(context.settings)
      registerUploads(app, { ...context, uploads: store, storage, pieces: pieceStore, dataDir, limits, addresses })
      registerFiles(app, { database: context.database, storage, addresses })
    },
    jobs({ database, settings, log, logFailure }) {
      const storage = openStorage(settings)
      const uploadSweep = new UploadSweep({
        database,
        storage,
        pieces: openPieces(settings),
        dataDir: settings.dataDir,
      })
      uploadSweep.start((report) => log.warn(report, 'files and records differ'), logFailure('sweep of uploads failed'))
      const likenessFill = new LikenessFill(database, storage, (error, id) =>
        log.error({ err: error, id }, 'a stored picture cannot be read'),
      )
      likenessFill.start(logFailure('hashing stored pictures failed'))
      return [uploadSweep, likenessFill]
    },
    describeRoutes: async () => {
      const [{ uploadRoutes }, { resumableRoutes }, { libraryRoutes }, { describeContracts }] = await Promise.all([
        import('@dala/model/api/uploads'),
        import('@dala/model/api/resumable'),
        import('@dala/model/api/library'),
        import('../../http/describe-contracts.ts'),
      ])
      return describeContracts({ ...uploadRoutes, ...resumableRoutes, ...libraryRoutes })
    },
  }
}
