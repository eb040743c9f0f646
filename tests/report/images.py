"""Pictures of pages for the documents, where IMAGES names the folder: ./dev docs --pictures sets it to docs/images."""
import os

WIDTH, SCALE = 1120, 0.64


def take(page, name, height):
    """The upper part of the page, light, as wide as a document."""
    folder = os.environ.get("IMAGES")
    if not folder:
        return
    page.size(WIDTH, height + 120)
    page.run("document.activeElement.blur(); window.scrollTo(0, 0)")
    page.settle()
    page.picture(os.path.join(folder, name + ".png"), clip={"x": 0, "y": 0, "width": WIDTH, "height": height, "scale": SCALE})
