import { secretParts } from '../../shared/redact.ts';
import { text, url } from '../values.ts';
import { variable } from '../variable.ts';

/** The admin CLI uses them only in `doctor`. */
const readers = ['api', 'admin'] as const;

export const imageVariables = {
  imageFolder: variable('IMAGE_FOLDER', {
    for: readers,
    rule: text,
    text: 'Folder of uploaded images. Every api process must have access to it. If neither IMAGE_FOLDER nor IMAGE_BUCKET is set, the api takes no images.',
  }),
  imageBucket: variable('IMAGE_BUCKET', {
    for: readers,
    rule: text,
    text: 'Bucket of uploaded images. It takes the place of IMAGE_FOLDER.',
  }),
  imageEndpoint: variable('IMAGE_BUCKET_ENDPOINT', {
    for: readers,
    rule: url('http:', 'https:'),
    text: 'Address of an S3 service other than AWS. Its buckets are addressed by path.',
  }),
  imageRegion: variable('IMAGE_BUCKET_REGION', {
    for: readers,
    rule: text,
    default: 'us-east-1',
    text: 'Region of IMAGE_BUCKET.',
  }),
  imageKeyId: variable('IMAGE_BUCKET_KEY_ID', {
    for: readers,
    rule: text,
    secret: secretParts,
    text: 'Access key of IMAGE_BUCKET. If unset, the AWS client looks for credentials itself: in its own variables and files, then in the role of the pod or machine.',
  }),
  imageSecretKey: variable('IMAGE_BUCKET_SECRET_KEY', {
    for: readers,
    rule: text,
    secret: secretParts,
    text: 'Secret of IMAGE_BUCKET_KEY_ID.',
  }),
};
