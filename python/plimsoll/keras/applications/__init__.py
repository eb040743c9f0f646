"""Networks for images; `weights="imagenet"` reads the files of the user's Keras cache folder."""

from plimsoll import _missing

_NETWORKS = {
    "convnext": "ConvNeXtBase ConvNeXtLarge ConvNeXtSmall ConvNeXtTiny ConvNeXtXLarge",
    "densenet": "DenseNet121 DenseNet169 DenseNet201",
    "efficientnet": " ".join(f"EfficientNetB{n}" for n in range(8)),
    "efficientnet_v2": " ".join(f"EfficientNetV2{v}" for v in "B0 B1 B2 B3 L M S".split()),
    "imagenet_utils": "",
    "inception_resnet_v2": "InceptionResNetV2",
    "inception_v3": "InceptionV3",
    "mobilenet": "MobileNet",
    "mobilenet_v2": "MobileNetV2",
    "mobilenet_v3": "MobileNetV3Large MobileNetV3Small",
    "nasnet": "NASNetLarge NASNetMobile",
    "resnet": "ResNet50 ResNet101 ResNet152",
    "resnet50": "",
    "resnet_v2": "ResNet50V2 ResNet101V2 ResNet152V2",
    "vgg16": "VGG16",
    "vgg19": "VGG19",
    "xception": "Xception",
}
_missing.lazy(
    globals(),
    {module: names.split() for module, names in _NETWORKS.items()},
    modules=tuple(_NETWORKS),
)
