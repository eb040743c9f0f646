"""tf.image: decoding, sizes, cutting, turning and colours of images."""
from plimsoll import _missing

_missing.lazy(globals(), {
    "_decode": ["decode_and_crop_jpeg", "decode_bmp", "decode_gif", "decode_image", "decode_jpeg",
                "decode_png", "encode_jpeg", "encode_png", "extract_jpeg_shape", "is_jpeg"],
    "_resize": ["ResizeMethod", "crop_and_resize", "resize", "resize_with_crop_or_pad",
                "resize_with_pad"],
    "_geometry": ["central_crop", "crop_to_bounding_box", "extract_patches", "flip_left_right",
                  "flip_up_down", "image_gradients", "pad_to_bounding_box", "rot90", "sobel_edges",
                  "transpose"],
    "_color": ["adjust_brightness", "adjust_contrast", "adjust_gamma", "adjust_hue",
               "adjust_jpeg_quality", "adjust_saturation", "convert_image_dtype", "grayscale_to_rgb",
               "hsv_to_rgb", "per_image_standardization", "rgb_to_grayscale", "rgb_to_hsv",
               "rgb_to_yiq", "rgb_to_yuv", "yiq_to_rgb", "yuv_to_rgb"],
    "_random": ["random_brightness", "random_contrast", "random_crop", "random_flip_left_right",
                "random_flip_up_down", "random_hue", "random_jpeg_quality", "random_saturation",
                "sample_distorted_bounding_box", "stateless_random_brightness",
                "stateless_random_contrast", "stateless_random_crop",
                "stateless_random_flip_left_right", "stateless_random_flip_up_down",
                "stateless_random_hue", "stateless_random_saturation"],
    "_measures": ["non_max_suppression", "non_max_suppression_with_scores", "psnr", "ssim",
                  "ssim_multiscale", "total_variation", "draw_bounding_boxes"],
})
