"""A release has one version and its news; the published site keeps its old versions, which lead to the newest."""

import subprocess
import sys
import tarfile
import zipfile

import pytest

from bookbuild import PACKAGES, build_book, publish, release


def test_a_release_has_one_version(tmp_path):
    """The project has; two files that differ are told; the news are those of the newest section."""
    for name in ("pyproject.toml", *(f"packages/{x}/pyproject.toml" for x in PACKAGES), "CITATION.cff", "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((build_book.ROOT / name).read_text("utf8"), "utf8")
    assert release.project_version(tmp_path) == release.project_version()
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changes\n\n## 0.0.9 (2020-01-01)\n\n- New.\n\n## 0.0.8\n\n- Old.\n", encoding="utf-8"
    )
    with pytest.raises(ValueError, match=r"one version, got .*0\.0\.9 in CHANGELOG\.md"):
        release.project_version(tmp_path)
    assert release.newest_changes((tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")) == "- New.\n"


def test_old_versions_stay_and_say_so(tmp_path):
    """The newest is at the top and in a folder of its own; each old page leads to it, once; what the old top had is gone."""
    site = tmp_path / "site"
    (site / ".git").mkdir(parents=True)
    for version in ("0.1.0", "0.1.1", "0.2.0", "0.3.0"):
        html = tmp_path / version
        (html / "book").mkdir(parents=True)
        (html / "book" / f"only-{version}.html").write_text(
            f"<html><body class=x>{version}</body></html>", encoding="utf-8"
        )
        (html / "lite").mkdir()
        publish.publish(html, site, version)
    shown = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    assert shown == ["book/only-0.3.0.html", *(f"v{x[:3]}/book/only-{x}.html" for x in ("0.1.1", "0.2.0", "0.3.0"))]
    old = (site / "v0.1" / "book" / "only-0.1.1.html").read_text(encoding="utf-8")
    assert old.count("Read the newest") == 1 and 'href="../../index.html"' in old and "This is version 0.1 " in old
    assert "newest" not in (site / shown[0]).read_text(encoding="utf-8") + (site / shown[-1]).read_text(
        encoding="utf-8"
    )
    assert (site / ".git").exists() and (site / "lite").exists() and not (site / "v0.3" / "lite").exists()


@pytest.mark.parametrize("package", PACKAGES)
def test_an_archive_of_a_package_has_its_license_and_no_tests(package, tmp_path):
    """The wheel says under which terms it comes; the archive of sources does, too, and holds no answers of the grader's tests."""
    folder = build_book.ROOT / "packages" / package
    subprocess.run([sys.executable, "-c", release.BUILD, tmp_path], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    terms = (build_book.ROOT / "LICENSE").read_bytes()
    (wheel,), (sources,) = tmp_path.glob("*.whl"), tmp_path.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        inside = archive.namelist()
        (license_file,) = [name for name in inside if name.endswith(".dist-info/licenses/LICENSE")]
        assert archive.read(license_file) == terms
        assert f"{package}/__init__.py" in inside and not [name for name in inside if "tests" in name.split("/")]
    with tarfile.open(sources) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
        assert {"LICENSE", "README.md", "pyproject.toml", f"src/{package}/__init__.py"} <= {*names}
        assert not [name for name in names if "tests" in name.split("/")]
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # type: ignore[assignment]  # Python 3.11.4 on
        archive.extractall(tmp_path / "unpacked")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    again = tmp_path / "again"
    again.mkdir()
    subprocess.run([sys.executable, "-c", release.BUILD, again], cwd=unpacked, check=True, stdout=subprocess.DEVNULL)
    with zipfile.ZipFile(next(again.glob("*.whl"))) as archive:
        assert sorted(archive.namelist()) == sorted(inside)
