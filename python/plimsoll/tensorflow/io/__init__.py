"""tf.io: files, records, and the contents of images and tensors."""
from plimsoll import _missing

_missing.lazy(globals(), {
    "_files": ["matching_files", "read_file", "write_file", "TFRecordOptions", "TFRecordWriter"],
    "_parse": ["FixedLenFeature", "FixedLenSequenceFeature", "RaggedFeature", "SparseFeature",
               "VarLenFeature", "parse_example", "parse_sequence_example", "parse_single_example",
               "parse_single_sequence_example"],
    "_tensors": ["decode_base64", "decode_compressed", "decode_csv", "decode_raw", "encode_base64",
                 "decode_json_example", "parse_tensor", "serialize_tensor"],
    "plimsoll.tensorflow.image._decode": [
        "decode_and_crop_jpeg", "decode_bmp", "decode_gif", "decode_image", "decode_jpeg",
        "decode_png", "encode_jpeg", "encode_png", "extract_jpeg_shape", "is_jpeg"],
}, modules=("gfile",))
